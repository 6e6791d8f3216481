/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The current holders of the live buffers: handlers, slices, and the outbound queues of channels.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {bytes, count, duration, plural} from './format.js';
import {byteFigure, table} from './parts.js';

/** Maximum number of channels in the table: the largest of all copies. */
const MAX_CHANNELS = 20;

const PLACES = {
  cumulation: 'cumulation', aggregator: 'aggregator', http2: 'HTTP/2 connection', outbound: 'outbound queue',
  handler: 'handler', hint: 'hint', none: 'not passed on',
};

export function holdersView(view) {
  return html`${holders(view)}${slices(view)}${queues(view)}`;
}

/** Returns the entries of all copies that match the search, largest first, each with its copy. */
function entries(view, key, size, ...names) {
  const filter = view.filter.toLowerCase();
  return (view.host.copies ?? [])
    .flatMap((copy) => (copy[key] ?? []).map((one) => ({...one, pool: copy.pool, age: copy.live_time_millis - Date.parse(one.oldest)})))
    .filter((one) => names.length === 0 || names.some((name) => one[name].toLowerCase().includes(filter)))
    .sort((a, b) => b[size] - a[size]);
}

const total = (all, key) => all.reduce((sum, one) => sum + one[key], 0);

const name = (one) => one.holder ? html`<code>${one.holder}</code>` : PLACES[one.place] ?? one.place;

function holders(view) {
  const all = new Map();
  for (const one of entries(view, 'held', 'bytes', 'site', 'holder')) {
    const key = JSON.stringify([one.pool, one.memory, one.place, one.holder]);
    all.set(key, [...(all.get(key) ?? []), one]);
  }
  const sorted = [...all].map(([key, sites]) => ({key, sites, bytes: total(sites, 'bytes')})).sort((a, b) => b.bytes - a.bytes);
  return html`<h4>By holder <small>the last receiver of each buffer</small></h4>
    ${sorted.length === 0 ? html`<p class="empty">${view.filter ? html`No holder or site contains <q>${view.filter}</q>.` : 'No holder of a sampled buffer is known.'}</p>` : nothing}
    <div class="sites">${repeat(sorted, ({key}) => key, (one) => holderRow(one))}</div>`;
}

function holderRow({sites, bytes: live}) {
  const [first] = sites;
  const lost = total(sites, 'lost_bytes');
  return html`<details class="holder">
    <summary>
      <span class="name">${name(first)} <small>${first.holder ? `${PLACES[first.place] ?? first.place}, ` : nothing}${first.memory}, ${first.pool}</small></span>
      <span class="number"><small>live</small> ${byteFigure(live)}</span>
      <span class="number"><small>over 10 s old</small> ${byteFigure(total(sites, 'old_bytes'))}</span>
      <span class="number"><small>buffers</small> ${count(total(sites, 'buffers'))}</span>
      <span class="number"><small>sites</small> ${count(sites.length)}</span>
    </summary>
    <div class="open">
      ${table(['allocated by', 'live', 'over 10 s old', 'buffers', 'oldest'], sites.map((one) => [html`<code>${one.site}</code>`,
        byteFigure(one.bytes), byteFigure(one.old_bytes), count(one.buffers), duration(one.age)]))}
      ${lost > 0 ? html`<p class="note">${byteFigure(lost)} of it was garbage collected and never released.</p>` : nothing}
    </div>
  </details>`;
}

function slices(view) {
  const all = entries(view, 'pinned', 'bytes', 'site', 'holder');
  return all.length === 0 ? nothing : html`<h4>Pinned by slices <small>buffers that only small slices keep</small></h4>
    ${table(['allocated by', 'slices', 'size of a slice', 'pinned', 'oldest', 'last passed to'], all.map((one) => [html`<code>${one.site}</code> <small>${one.memory}, ${one.pool}</small>`,
      count(one.slices), bytes(one.slices > 0 ? Math.round(one.covered_bytes / one.slices) : 0), byteFigure(one.bytes), duration(one.age),
      html`<span class="names">${one.holder ? html`<code>${one.holder}</code>` : '–'}${one.certain ? nothing : html` <small>code may also hold the whole buffers</small>`}</span>`]))}`;
}

function unread(copies) {
  return copies.every((copy) => copy.http2_unread_bytes !== undefined)
    ? html` and ${byteFigure(total(copies, 'http2_unread_bytes'), 'http2_unread_bytes')} received and not consumed` : nothing;
}

function queues(view) {
  const watched = (view.host.copies ?? []).filter((copy) => copy.outbound_pending_bytes !== undefined);
  if (watched.length === 0) {
    return nothing;
  }
  const channels = entries(view, 'channels', 'pending_bytes').slice(0, MAX_CHANNELS);
  const shapes = entries(view, 'channel_shapes', 'pending_bytes');
  const streams = total(watched, 'http2_streams');
  return html`<h4>Outbound queues <small>written by the application, not sent yet</small></h4>
    <p class="note">${byteFigure(total(watched, 'outbound_pending_bytes'), 'outbound_pending_bytes')} in ${plural(total(watched, 'outbound_channels'), 'channel')},
      ${count(total(watched, 'outbound_unwritable_channels'))} not writable${streams > 0 ? html`; ${plural(streams, 'HTTP/2 stream')} with
      ${byteFigure(total(watched, 'http2_pending_bytes'), 'http2_pending_bytes')} that wait for flow control${unread(watched)}` : nothing}.</p>
    ${channels.length === 0 ? nothing : table(['channel', 'waiting', 'oldest, up to', 'not writable', 'streams', 'handlers'], channels.map((one) => [
      html`<code>${one.id}</code>${one.address ? html` ${one.address}` : nothing} <small>${one.pool}</small>`, byteFigure(one.pending_bytes), duration(one.oldest_millis),
      one.unwritable_millis > 0 ? `for ${duration(one.unwritable_millis)}` : '–', one.streams > 0 ? html`${count(one.streams)} <small>${bytes(one.stream_bytes)}${one.largest_stream > 0 ? html`, most in stream ${one.largest_stream}: ${bytes(one.largest_stream_bytes)}` : nothing}</small>` : '–', html`<span class="names">${one.handlers}</span>`]))}
    ${shapes.length === 0 ? nothing : html`<details class="plain"><summary>Sums by handlers</summary>
      ${table(['handlers', 'channels', 'waiting', 'largest'], shapes.map((one) => [html`${one.handlers} <small>${one.pool}</small>`, count(one.channels), byteFigure(one.pending_bytes), byteFigure(one.largest_bytes)]))}
    </details>`}`;
}
