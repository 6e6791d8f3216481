/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The last minutes, kept in the page: the exporter keeps no history.

const MOST_POINTS = 450;

/** By host, pool and memory: columns as the charts want them. */
const kept = new Map();

const key = (host, pool, memory) => JSON.stringify([host, pool, memory]);

export function remember(host) {
  for (const copy of host.copies) {
    for (const pool of copy.pools) {
      add(key(host.id, copy.pool, pool.memory), host.time_millis / 1000, pool);
    }
  }
}

function add(name, seconds, pool) {
  const before = kept.get(name) ?? {
    seconds: [], reserved: [], pinned: [], cached: [], hits: [], lastHits: 0, lastRequests: 0,
  };
  if (before.seconds.at(-1) >= seconds) {
    return; // nothing new: a host that has ended, or whose file was not written again
  }
  kept.set(name, before);
  before.seconds.push(seconds);
  before.reserved.push(pool.reserved_bytes);
  before.pinned.push(pool.pinned_bytes);
  before.cached.push(pool.cached_bytes);
  before.hits.push(hitsSince(before, pool));
  before.lastHits = pool.thread_cache_hits;
  before.lastRequests = pool.thread_cache_requests;
  if (before.seconds.length > MOST_POINTS) {
    for (const column of [before.seconds, before.reserved, before.pinned, before.cached, before.hits]) {
      column.shift();
    }
  }
}

/** The hit ratio since the point before, in percent; null where nobody asked. */
function hitsSince(before, pool) {
  const requests = pool.thread_cache_requests - before.lastRequests;
  const hits = pool.thread_cache_hits - before.lastHits;
  return requests > 0 ? Math.min(100, Math.max(0, (100 * hits) / requests)) : null;
}

export function history(host, pool, memory) {
  return kept.get(key(host, pool, memory));
}
