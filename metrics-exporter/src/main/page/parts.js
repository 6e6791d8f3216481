/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Elements that many parts of the page use.

import {html, svg, nothing} from './lib/lit-html/lit-html.js';
import {bytes, count} from './format.js';

/** Meanings of the values by their name in JSON, from the catalogue of metrics. */
let catalogue = {};

export async function loadCatalogue() {
  const response = await fetch('assets/catalogue.json');
  catalogue = response.ok ? await response.json() : {};
}

/** Returns a value as a text for readers, with its exact value and its meaning in the title. */
export function figure(value, text, exact, key) {
  const meaning = catalogue[key];
  const title = meaning ? `${exact}\n${meaning.name}: ${meaning.help}` : exact;
  return html`<data value=${value} title=${title}>${text}</data>`;
}

export function byteFigure(value, key) {
  return value === undefined ? html`<span class="dim">unknown</span>` : figure(value, bytes(value), `${count(value)} bytes`, key);
}

export function countFigure(value, key) {
  return value === undefined ? html`<span class="dim">unknown</span>` : figure(value, count(value), count(value), key);
}

export function fact(term, value, note = nothing) {
  return html`<div><dt>${term}</dt><dd>${value}${note === nothing ? nothing : html` <small>${note}</small>`}</dd></div>`;
}

/** Returns a term with its colour in bars and charts. */
export function legend(kind, text = kind) {
  return html`<span class="key"><i class="swatch ${kind}"></i>${text}</span> `;
}

/**
 * Returns a bar of parts. The bar is SVG, because the content security policy forbids inline styles,
 * but allows the attributes of SVG.
 *
 * @param parts objects {kind, value} from the left; the optional title is a tooltip
 * @param scale value of the whole width
 */
export function bar(parts, scale, label) {
  let start = 0;
  const part = (value) => `${(100 * value) / Math.max(1, scale)}%`;
  return html`<svg class="bar" role="img" aria-label=${label}><title>${label}</title>${parts.map(({kind, value, title}) => {
    const x = part(start);
    start += value;
    return svg`<rect class=${kind} x=${x} width=${part(value)} height="100%">${title ? svg`<title>${title}</title>` : nothing}</rect>`;
  })}</svg>`;
}

/** Returns a table; the first value of each row is the heading of the row. */
export function table(heads, rows) {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((value) => html`<td>${value}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** Returns all pools of a process, each with its copy. */
export function pools(host) {
  return (host.copies ?? []).flatMap((copy) => (copy.pools ?? []).map((pool) => ({copy, pool})));
}

/** Values of limits. Pools can share a limit or have different ones, so sum() returns the limit with the highest use. */
const OF_LIMIT = ['limit_bytes', 'limit_used_bytes'];

/** Returns the sum of a value over all pools of one kind of memory; undefined if no pool has the value. */
export function sum(host, memory, key) {
  const all = pools(host).map(({pool}) => pool).filter((pool) => pool.memory === memory);
  if (OF_LIMIT.includes(key)) {
    const used = (pool) => (pool.limit_used_bytes ?? 0) / pool.limit_bytes;
    return all.filter((pool) => pool.limit_bytes > 0).sort((a, b) => used(b) - used(a))[0]?.[key];
  }
  const values = all.map((pool) => pool[key]).filter((value) => value !== undefined);
  return values.length > 0 ? values.reduce((a, b) => a + b, 0) : undefined;
}
