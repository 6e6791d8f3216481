/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The stacks of a site. The page loads them when the reader opens the site, because reports with all stacks are large.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {stacks} from './api.js';
import {copy} from './copy.js';
import {clock, duration, plural} from './format.js';
import {byteFigure, countFigure} from './parts.js';

const COPIED_MILLIS = 2_000;

/** Stacks by site. */
const known = new Map();

/** Name of the stack that was just copied; its button says so. */
let copied = null;

const key = (kind, host, pool, site) => JSON.stringify([kind, host, pool, site.memory, site.site]);

async function load(kind, host, pool, site, changed) {
  const name = key(kind, host, pool, site);
  known.set(name, {...known.get(name), isLoading: true});
  changed();
  try {
    const list = await stacks(kind, host, pool, site.memory, site.site);
    known.set(name, list === null ? {refusal: true} : {list, at: Date.now()});
  } catch (failure) {
    known.set(name, {failure: failure.message});
  }
  changed();
}

/**
 * @param kinds reports that have the site: live, leaks, or both
 * @param changed callback for new data to draw
 */
export function onToggle(event, kinds, host, pool, site, changed) {
  if (event.target.open) {
    kinds.forEach((kind) => load(kind, host, pool, site, changed));
  }
}

export function stacksView(kind, host, pool, site, changed) {
  const found = known.get(key(kind, host, pool, site));
  if (!found || (found.isLoading && !found.list)) {
    return html`<p class="note">Loading the stacks …</p>`;
  }
  if (found.refusal) {
    return html`<p class="note">This client may not see stacks.</p>`;
  }
  const reload = html`<button type="button" @click=${() => load(kind, host, pool, site, changed)}>Load again</button>`;
  if (found.failure) {
    return html`<p class="note">No stacks: ${found.failure}. ${reload}</p>`;
  }
  return html`<p class="note">${plural(found.list.length, 'stack')} as of ${clock(found.at)} ${reload}</p>
    ${found.list.map((one, index) =>
      stackView(one, `${key(kind, host, pool, site)} ${index}`, kind === 'leaks' ? leakHead(one) : liveHead(one), changed))}`;
}

function liveHead(one) {
  return html`${byteFigure(one.bytes)} in about ${plural(one.buffers, 'buffer')}`;
}

function leakHead(one) {
  return html`${countFigure(one.found)} found, about ${byteFigure(one.estimated_bytes)}`;
}

function stackView(one, name, head, changed) {
  const folded = one.frames_folded;
  const before = one.stack.slice(0, folded);
  const rest = one.stack.slice(folded);
  return html`<div class="stack">
    <div class="head"><span>${head}</span>
      <button type="button" class="copy" @click=${() => copyStack(one, name, changed)}>${copied === name ? 'Copied' : 'Copy stack'}</button></div>
    ${before.length > 0
      ? html`<details class="plain"><summary>${plural(before.length, 'frame')} of Netty, the JDK and Cistern</summary><pre>${lines(before)}</pre></details>`
      : nothing}
    <pre class="frames">${one.stack.length > 0 ? lines(rest) : 'No stack was kept.'}</pre>
    ${one.frames_cut > 0 ? html`<p class="note">${plural(one.frames_cut, 'outer frame')} not kept</p>` : nothing}
    ${one.latest ? latestView(one.latest) : nothing}
  </div>`;
}

function lines(frames) {
  return frames.map((frame) => `at ${frame}`).join('\n');
}

async function copyStack(one, name, changed) {
  if (await copy(`${lines(one.stack)}\n`)) {
    copied = name;
    changed();
    setTimeout(() => {
      copied = copied === name ? null : copied;
      changed();
    }, COPIED_MILLIS);
  }
}

/** Returns the latest leaked buffer, with its last accesses. */
function latestView(latest) {
  return html`<p class="note">The latest: ${latest.kind}, ${byteFigure(latest.requested_bytes)} requested, allocated
      ${latest.allocated} by thread <q>${latest.thread}</q>, found after ${duration(latest.age_millis)}.</p>
    ${trail('Last accesses', latest.accesses, latest.accesses_dropped)}
    ${trail('Retain and release', latest.ref_count_calls, latest.ref_count_calls_dropped)}`;
}

function trail(title, uses, dropped) {
  if (uses.length === 0 && dropped === 0) {
    return nothing;
  }
  return html`<details class="plain"><summary>${title}, newest first</summary><ol class="trail">
    ${uses.map((use) => html`<li>
      <b>${use.operation || 'used'}</b>${use.repeats > 0 ? ` and ${use.repeats} more` : nothing},
      ${duration(use.since_allocation_millis)} after the allocation, by thread <q>${use.thread}</q>${use.hint ? html`, hint: <q>${use.hint}</q>` : nothing}
      ${use.stack.length > 0 ? html`<pre>${lines(use.stack)}</pre>` : nothing}
    </li>`)}
    ${dropped > 0 ? html`<li>${plural(dropped, 'earlier call')} not kept</li>` : nothing}
  </ol></details>`;
}
