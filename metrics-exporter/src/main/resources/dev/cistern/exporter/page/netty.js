/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Netty's own allocators, where a copy is observed.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {bytes, count, plural} from './format.js';
import {byteFigure, countFigure, fact, legend, memoryBar, series} from './parts.js';

export function nettyView(copy) {
  const {allocators, not_listed: more, not_listed_bytes: moreBytes, instances} = copy.netty;
  if (allocators.length === 0) {
    return nothing;
  }
  return html`<div class="cards">${allocators.map((part) => partView(copy, part))}</div>
    ${more > 0
      ? html`<p class="note">and ${plural(more, 'more part')} of ${plural(instances, 'allocator')} with ${bytes(moreBytes)}</p>`
      : nothing}`;
}

function partView(copy, part) {
  return html`<section class="card" aria-label="Netty's ${part.name}, ${part.memory} memory">
    <h3>Netty's ${part.name}, ${part.memory} memory</h3>
    ${part.pooled ? memoryBar(part) : nothing}
    <dl>
      ${fact('reserved', byteFigure(part.reserved_bytes, seriesOf(copy, part, 'cistern_netty_allocator_reserved_bytes')))}
      ${part.pooled ? pooled(copy, part) : nothing}
    </dl>
    ${part.pooled ? nothing : html`<p class="note">An adaptive allocator tells no more than this.</p>`}
  </section>`;
}

// Of many allocators, /metrics shows some together: those have no series to point at.
function seriesOf(copy, part, name) {
  const number = Number(part.name.split('-').pop());
  return copy.netty.instances <= 8 && number <= 8
    ? series(name, {pool: copy.pool, memory: part.memory, allocator: part.name})
    : undefined;
}

function pooled(copy, part) {
  return html`
    ${fact(legend('pinned'), byteFigure(part.pinned_bytes, seriesOf(copy, part, 'cistern_netty_allocator_pinned_bytes')))}
    ${fact(legend('cached'), byteFigure(part.cached_bytes))}
    ${fact(legend('free'), byteFigure(part.free_bytes))}
    ${fact('huge', byteFigure(part.huge_bytes))}
    ${fact('chunks, qInit to q100', part.bands.map(count).join(' '))}
    ${fact('arenas', countFigure(part.arenas))}
    ${fact('threads, by arena', part.thread_caches.map(count).join(' '))}
    ${fact('not back in arenas', countFigure(part.active_allocations), 'allocations')}`;
}
