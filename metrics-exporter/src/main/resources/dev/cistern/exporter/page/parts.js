/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// What many parts of the page are made of.

import {html, svg, nothing} from './lib/lit-html/lit-html.js';
import {bytes, count, percent} from './format.js';

/** Labels that each series of the host has; null of one that has ended, which has no figures in /metrics. */
let hostLabels = null;

export function nameSeriesOf(host) {
  hostLabels = host.state === 'up' ? {application: host.application, host_id: host.id} : null;
}

/** The name of a series as /metrics writes it, labels in their order. */
export function series(name, more) {
  if (hostLabels === null) {
    return undefined;
  }
  const labels = {...hostLabels, ...more};
  const pairs = Object.keys(labels)
    .sort()
    .map((label) => `${label}="${labels[label]}"`);
  return `${name}{${pairs.join(',')}}`;
}

/** A figure: what people read, its exact value, and the series that shows it elsewhere. */
export function figure(value, text, exact, ofSeries) {
  const title = ofSeries ? `${exact}\n${ofSeries}` : exact;
  return html`<data value=${value} title=${title} data-series=${ofSeries ?? nothing}>${text}</data>`;
}

export function byteFigure(value, ofSeries) {
  return figure(value, bytes(value), `${count(value)} bytes`, ofSeries);
}

export function countFigure(value, ofSeries) {
  return figure(value, count(value), count(value), ofSeries);
}

export function fact(term, value, note = nothing) {
  return html`<div><dt>${term}</dt><dd>${value}${note === nothing ? nothing : html` <small>${note}</small>`}</dd></div>`;
}

/** A term with the colour that stands for it in the bars. */
export function legend(kind) {
  return html`<i class="swatch ${kind}"></i>${kind}`;
}

/**
 * Memory as a bar: pinned, cached, and free as its ground. SVG, since its attributes are no style
 * that the content security policy would have to allow.
 *
 * @param scale what the whole width stands for, in bytes
 */
export function memoryBar(of, scale = of.reserved_bytes) {
  const part = (value) => `${(100 * value) / Math.max(1, scale)}%`;
  const told =
    `${percent(of.pinned_bytes, of.reserved_bytes)} pinned, ` +
    `${percent(of.cached_bytes, of.reserved_bytes)} cached, of ${bytes(of.reserved_bytes)}`;
  return html`<svg class="bar" role="img" aria-label=${told}>
    <title>${told}</title>
    ${rect('free', '0', part(of.reserved_bytes))}
    ${rect('pinned', '0', part(of.pinned_bytes))}
    ${rect('cached', part(of.pinned_bytes), part(of.cached_bytes))}
  </svg>`;
}

export function rect(kind, x, width) {
  return svg`<rect class=${kind} x=${x} width=${width} height="100%"></rect>`;
}
