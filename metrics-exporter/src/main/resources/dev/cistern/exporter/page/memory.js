/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// One kind of memory of a pool: its bar, its arenas, its chunks, its caches.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {bytes, count, percent} from './format.js';
import {byteFigure, countFigure, fact, figure, legend, memoryBar, series} from './parts.js';

export const BANDS = ['qInit', 'q000', 'q025', 'q050', 'q075', 'q100'];

/** Above this, a chunk is a small square without its figure. */
const FIGURED_CHUNKS = 96;

/**
 * @param isObserved whether /metrics adds Netty's own memory to that of this pool
 * @param lives whether the host does, and its lines go on
 */
export function poolView(copy, pool, isObserved, lives) {
  const labels = {pool: copy.pool, memory: pool.memory};
  const of = (name) => series(name, labels);
  const shared = (name) => (isObserved ? undefined : of(name));
  return html`<section class="card pool" aria-label="${pool.memory} memory of ${copy.pool}">
    <h3>${pool.memory} memory</h3>
    ${memoryBar(pool)}
    <dl>
      ${fact(legend('reserved'), byteFigure(pool.reserved_bytes, shared('cistern_reserved_bytes')))}
      ${fact(legend('pinned'), byteFigure(pool.pinned_bytes, shared('cistern_pinned_bytes')))}
      ${fact(legend('cached'), byteFigure(pool.cached_bytes, shared('cistern_cached_bytes')))}
      ${fact(legend('free'), byteFigure(pool.free_bytes, shared('cistern_free_bytes')))}
      ${pool.resident_bytes === undefined ? nothing : fact('resident', byteFigure(pool.resident_bytes, of('cistern_resident_bytes')))}
      ${fact('limit', limit(pool, of))}
      ${pool.memory_way === undefined ? nothing : fact('allocated by', memoryWay(pool.memory_way))}
    </dl>
    ${lives ? html`<h4>The last minutes</h4>${chart('memory', copy, pool)}` : nothing}
    <h4>Arenas</h4>
    ${arenaBars(pool, shared)}
    <h4>Chunks <small>${count(sum(pool.bands))} of ${bytes(pool.chunk_bytes)}</small></h4>
    ${chunkMap(pool)} ${bandTable(pool, (band) => shared('cistern_chunks') && series('cistern_chunks', {...labels, band}))}
    <h4>Thread caches</h4>
    ${threadCaches(pool, of, shared)} ${lives ? chart('hits', copy, pool) : nothing}
    ${sizeClasses(pool)}
  </section>`;
}

function limit(pool, of) {
  return pool.limit_bytes === undefined
    ? 'none'
    : byteFigure(pool.limit_bytes, of('cistern_limit_bytes'));
}

/** The values of the label `way`, and what each means. */
const WAYS = {
  mmap_jdk: 'mapped by methods of the JDK; freed memory is unmapped',
  mmap_linker: 'mapped by java.lang.foreign; freed memory is unmapped',
  malloc_mmap: 'malloc in requests above 32 MiB, which glibc maps and unmaps',
  malloc: 'malloc, which may keep freed memory',
  host: 'a direct buffer of the JDK, or Netty itself; may keep freed memory',
};

function memoryWay(way) {
  return html`<abbr title=${WAYS[way] ?? nothing}>${way}</abbr>`;
}

function sum(figures) {
  return figures.reduce((all, one) => all + one, 0);
}

/** Each arena as a bar, and what is larger than a chunk, all to one scale. */
function arenaBars(pool, shared) {
  const scale = Math.max(pool.huge_reserved_bytes, ...pool.arenas.map((arena) => arena.reserved_bytes));
  const row = (name, arena, hugeSeries = () => undefined) => html`<tr>
    <th scope="row">${name}</th>
    <td class="wide">${memoryBar(arena, scale)}</td>
    <td>${byteFigure(arena.reserved_bytes, hugeSeries('cistern_huge_reserved_bytes'))}</td>
    <td>${byteFigure(arena.pinned_bytes, hugeSeries('cistern_huge_pinned_bytes'))}</td>
    <td>${byteFigure(arena.cached_bytes)}</td>
    <td>${byteFigure(arena.free_bytes)}</td>
  </tr>`;
  const huge = {
    reserved_bytes: pool.huge_reserved_bytes,
    pinned_bytes: pool.huge_pinned_bytes,
    cached_bytes: 0,
    free_bytes: pool.huge_reserved_bytes - pool.huge_pinned_bytes,
  };
  return html`<table class="arenas">
    <thead><tr><th scope="col">arena</th><td class="wide"></td><th scope="col">reserved</th><th scope="col">pinned</th><th scope="col">cached</th><th scope="col">free</th></tr></thead>
    <tbody>
      ${pool.arenas.map((arena, index) => row(index, arena))}
      ${huge.reserved_bytes > 0 ? row(html`<abbr title="Buffers larger than a chunk; free: kept for the next one">huge</abbr>`, huge, shared) : nothing}
    </tbody>
  </table>
  ${pool.arenas_not_listed > 0 ? html`<p class="note">and ${count(pool.arenas_not_listed)} more arenas</p>` : nothing}`;
}

/** A cell for each chunk, by arena; nothing where the host does not tell its chunks. */
function chunkMap(pool) {
  if (!pool.arenas.some((arena) => arena.chunks)) {
    return nothing;
  }
  const all = sum(pool.bands);
  const isDense = all > FIGURED_CHUNKS;
  return html`<div class="map ${isDense ? 'dense' : ''}">
    ${pool.arenas.map((arena, index) =>
      arena.chunks?.length ? mapOfArena(arena, index, isDense) : nothing)}
    ${all === 0 ? html`<p class="note">No chunk is reserved.</p>` : nothing}
  </div>`;
}

function mapOfArena(arena, index, isDense) {
  const more = arena.chunks_not_listed;
  const told = arena.chunks.map((chunk) => chunk.usage).join(', ');
  return html`<div class="arena">
    <span class="name" aria-hidden="true">arena ${index}</span>
    <div class="cells" role="img" aria-label="arena ${index}, pages in use by chunk, in percent: ${told}">
      ${arena.chunks.map((chunk) => html`<i class="cell u${Math.ceil(chunk.usage / 10)}"
          title="arena ${index}: a chunk with ${chunk.usage} % of its pages in use, in band ${chunk.band}"
          data-usage=${chunk.usage}>${isDense ? nothing : chunk.usage}</i>`)}
      ${more > 0 ? html`<span class="note">and ${count(more)} more</span>` : nothing}
    </div>
  </div>`;
}

/** Chunks by band; by arena too where there is no map. */
function bandTable(pool, ofSeries) {
  const most = Math.max(1, ...pool.bands);
  const byArena = !pool.arenas.some((arena) => arena.chunks);
  const shade = (chunks, whole) => `u${Math.ceil((10 * chunks) / whole)}`;
  return html`<table class="bands">
    <thead><tr><th scope="col">band</th>${BANDS.map((band) => html`<th scope="col">${band}</th>`)}</tr></thead>
    <tbody>
      ${byArena ? pool.arenas.map((arena, index) => html`<tr><th scope="row">arena ${index}</th>${arena.bands.map(
        (chunks) => html`<td class=${shade(chunks, most)}>${chunks}</td>`)}</tr>`) : nothing}
      <tr><th scope="row">chunks</th>${pool.bands.map((chunks, index) =>
        html`<td class=${byArena ? 'all' : shade(chunks, most)}>${countFigure(chunks, ofSeries(BANDS[index]))}</td>`)}</tr>
    </tbody>
  </table>`;
}

/** A place for a chart; lit-html leaves alone what the chart puts there. */
function chart(kind, copy, pool) {
  return html`<div class="chart ${kind}" data-chart=${kind} data-pool=${copy.pool} data-memory=${pool.memory}></div>`;
}

function threadCaches(pool, of, shared) {
  const ratio = percent(pool.thread_cache_hits, pool.thread_cache_requests);
  return html`<dl>
      ${fact('hit ratio', figure(pool.thread_cache_hits / Math.max(1, pool.thread_cache_requests), ratio, 'hits of all requests since the pool began'))}
      ${fact('requests', countFigure(pool.thread_cache_requests, of('cistern_thread_cache_requests_total')))}
      ${fact('hits', countFigure(pool.thread_cache_hits, of('cistern_thread_cache_hits_total')))}
      ${fact('caches', countFigure(pool.thread_caches, shared('cistern_thread_caches')))}
    </dl>`;
}

function sizeClasses(pool) {
  const classes = pool.size_classes;
  return html`<details class="plain"><summary>Size classes <small>${classes.length} in use, ${count(allocations(pool))} allocations</small></summary>
    <table class="classes">
      <thead><tr><th scope="col">slot</th><th scope="col">in use</th><th scope="col">cached</th><th scope="col">allocations</th><th scope="col"><abbr title="bytes asked for, of those given">filled</abbr></th></tr></thead>
      <tbody>${classes.map((one) => html`<tr>
        <th scope="row">${byteFigure(one.bytes)}</th>
        <td>${countFigure(Math.max(0, one.allocations - one.deallocations))}</td>
        <td>${countFigure(one.cached_slots)}</td>
        <td>${countFigure(one.allocations)}</td>
        <td>${percent(one.requested_bytes, one.allocations * one.bytes)}</td>
      </tr>`)}</tbody>
    </table>
  </details>`;
}

function allocations(pool) {
  return sum(Object.values(pool.allocations));
}
