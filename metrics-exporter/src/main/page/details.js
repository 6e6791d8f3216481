/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Details of the pools, folded: arenas, chunks, thread caches, size classes, allocators.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {bytes, count, percent} from './format.js';
import {bar, byteFigure, countFigure, fact, table} from './parts.js';

/** Maximum number of chunks that the map draws for an arena; it only counts the rest. */
const MAX_CELLS = 256;

export function detailsView({host}) {
  return html`<section class="card" id="details" aria-label="Pool details">
    <h3>Pool details</h3>
    ${(host.copies ?? []).map((copy) => html`<h4>${copy.pool} ${copy.version} <span class="mode">${copy.mode}</span>${copy.reason ? html` <small>${copy.reason}</small>` : nothing}</h4>
      ${copyFacts(copy)}
      ${allocators(copy)}
      ${(copy.pools ?? []).filter((pool) => pool.reserved_bytes !== undefined).map((pool) => poolDetails(pool))}`)}
  </section>`;
}

function copyFacts(copy) {
  return copy.served_allocations === undefined ? nothing : html`<dl>
    ${fact('served', countFigure(copy.served_allocations, 'served_allocations'))}
    ${fact('left to Netty', countFigure(copy.fallback_allocations, 'fallback_allocations'))}
    ${fact('faults', countFigure(copy.bridge_failures, 'bridge_failures'))}
  </dl>`;
}

function allocators(copy) {
  const own = copy.netty_allocator_details ?? [];
  const seen = copy.allocators ?? [];
  return own.length + seen.length === 0 ? nothing : html`<details class="plain"><summary>Allocators <small>${own.length + seen.length}</small></summary>
    ${table(['allocator', 'service or memory', 'class or reserved', 'created by or pinned'], [
      ...seen.map((one) => [one.allocator, html`${one.service}${one.reason ? html` (${one.reason})` : nothing}`, html`<code>${one.class}</code>`, html`<code>${one.created_by}</code>`]),
      ...own.map((one) => [one.allocator, one.memory, byteFigure(one.netty_allocator_reserved_bytes, 'netty_allocator_reserved_bytes'), byteFigure(one.netty_allocator_pinned_bytes, 'netty_allocator_pinned_bytes')])])}
  </details>`;
}

function poolDetails(pool) {
  return html`<details class="plain"><summary>${pool.memory} memory <small>${count(pool.arenas ?? 0)} arenas, ${bytes(pool.reserved_bytes ?? 0)} reserved</small></summary>
    ${caches(pool)} ${groups(pool)} ${arenas(pool)} ${map(pool)} ${sizes(pool)}
  </details>`;
}

function caches(pool) {
  return html`<dl>
    ${fact('thread caches', countFigure(pool.thread_caches, 'thread_caches'))}
    ${pool.thread_cache_requests === undefined ? nothing : html`
      ${fact('hit ratio', percent(pool.thread_cache_hits, pool.thread_cache_requests))}
      ${fact('requests', countFigure(pool.thread_cache_requests, 'thread_cache_requests'))}
      ${fact('arena lock waits', countFigure(pool.arena_lock_waits, 'arena_lock_waits'))}
      ${fact('failed', countFigure(pool.failed_allocations, 'failed_allocations'))}
      ${fact('way of allocation', pool.way || 'none yet')}`}
  </dl>`;
}

function groups(pool) {
  const of = (row, own, netty) => row[own] ?? row[netty] ?? 0;
  return html`${table(['size group', 'allocations', 'releases'], (pool.size_groups ?? []).map((row) => [row.size_group,
      countFigure(of(row, 'allocations', 'netty_arena_allocations')), countFigure(of(row, 'deallocations', 'netty_arena_deallocations'))]))}
    <table class="bands"><thead><tr><th scope="col">band</th>${(pool.bands ?? []).map((row) => html`<th scope="col">${row.band}</th>`)}</tr></thead>
    <tbody><tr><th scope="row">chunks</th>${(pool.bands ?? []).map((row) => html`<td>${countFigure(row.chunks, 'chunks')}</td>`)}</tr></tbody></table>`;
}

function arenas(pool) {
  const all = pool.arena_details ?? [];
  const scale = Math.max(1, ...all.map((arena) => arena.arena_reserved_bytes));
  return all.length === 0 ? nothing : html`<div class="scroll"><table class="arenas"><thead><tr><th scope="col">arena</th><th scope="col" class="wide">memory</th>
      <th scope="col">reserved</th><th scope="col">pinned</th><th scope="col">cached</th><th scope="col">thread caches</th></tr></thead>
    <tbody>${all.map((arena) => {
      const [reserved, pinned, cached] = ['reserved', 'pinned', 'cached'].map((key) => arena[`arena_${key}_bytes`]);
      const parts = [{kind: 'pinned', value: pinned}, {kind: 'cached', value: cached}, {kind: 'free', value: Math.max(0, reserved - pinned - cached)}];
      return html`<tr><th scope="row">${arena.arena}</th><td class="wide">${bar(parts, scale, `${percent(pinned, reserved)} pinned`)}</td>
        <td>${byteFigure(reserved, 'arena_reserved_bytes')}</td><td>${byteFigure(pinned, 'arena_pinned_bytes')}</td><td>${byteFigure(cached, 'arena_cached_bytes')}</td><td>${countFigure(arena.arena_thread_caches, 'arena_thread_caches')}</td></tr>`;
    })}</tbody></table></div>`;
}

/** Returns a map with the use of each chunk; only the endpoint of the process itself lists its chunks. */
function map(pool) {
  const all = (pool.arena_details ?? []).filter((arena) => (arena.chunk_map ?? []).length > 0);
  return all.length === 0 ? nothing : html`<h4>Chunk map <small>use of each chunk in percent</small></h4><div class="map">${all.map((arena) => {
    const shown = arena.chunk_map.slice(0, MAX_CELLS);
    const more = arena.chunk_map.length - shown.length + arena.chunks_not_listed;
    return html`<div class="arena"><span class="name">arena ${arena.arena}</span><span class="cells">${shown.map((chunk) =>
      html`<i class="cell u${Math.round(chunk.usage / 10)}" title="${chunk.usage} % used, band ${chunk.band}">${chunk.usage}</i>`)}
      ${more > 0 ? html`<span class="note">and ${count(more)} more</span>` : nothing}</span></div>`;
  })}</div>`;
}

function sizes(pool) {
  const used = (pool.sizes ?? []).filter((row) => row.size_allocations > 0);
  return used.length === 0 ? nothing : html`<details class="plain"><summary>Size classes <small>${used.length} in use</small></summary>
    ${table(['size', 'in use', 'cached', 'allocations', html`<abbr title="requested bytes of allocated bytes">filled</abbr>`], used.map((row) => [bytes(Number(row.size)),
      countFigure(Math.max(0, row.size_allocations - row.size_deallocations)), byteFigure(row.size_cached_bytes, 'size_cached_bytes'),
      countFigure(row.size_allocations, 'size_allocations'), percent(row.size_requested_bytes, row.size_allocations * Number(row.size))]))}
  </details>`;
}
