/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;

/** What a pool of ours adds to a scrape. */
final class PoolFamilies {
  private PoolFamilies() {}

  /**
   * @param alone whether the pool's memory is shown as it is; else {@link NettyFamilies} shows the
   *     sums with what Netty's own allocators hold
   */
  static void addTo(Families to, PoolSnapshot from, String pool, boolean alone) {
    String memory = from.memory();
    if (alone) {
      addShared(to, from, pool, memory);
    }
    addMemory(to, from, pool, memory);
    addTraffic(to, from, pool, memory);
    addThreadCaches(to, from, pool, memory);
    addChunks(to, from, pool, memory);
  }

  /** What allocators of Netty's own have, too: {@link NettyFamilies} adds the sums of both. */
  private static void addShared(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.RESERVED_BYTES, from.reservedBytes(), pool, memory);
    to.add(Metric.PINNED_BYTES, from.pinnedBytes(), pool, memory);
    to.add(Metric.CACHED_BYTES, from.cachedBytes(), pool, memory);
    to.add(Metric.FREE_BYTES, from.freeBytes(), pool, memory);
    to.add(Metric.HUGE_RESERVED_BYTES, from.hugeReservedBytes(), pool, memory);
    to.add(Metric.HUGE_PINNED_BYTES, from.hugePinnedBytes(), pool, memory);
    to.add(Metric.THREAD_CACHES, from.threadCaches(), pool, memory);
    to.add(Metric.ARENAS, from.arenas(), pool, memory);
    for (Band band : Band.values()) {
      to.add(Metric.CHUNKS, from.chunks(band), pool, memory, band.label());
    }
  }

  private static void addMemory(Families to, PoolSnapshot from, String pool, String memory) {
    if (from.limitBytes() != Long.MAX_VALUE) {
      to.add(Metric.LIMIT_BYTES, from.limitBytes(), pool, memory);
    }
    to.add(Metric.LIMIT_USED_BYTES, from.usedBytes(), pool, memory);
    to.add(Metric.HUGE_CACHED_BYTES, from.hugeCachedBytes(), pool, memory);
    if (from.residentBytes() >= 0) {
      to.add(Metric.RESIDENT_BYTES, from.residentBytes(), pool, memory);
    }
    String way = from.memoryWay();
    if (way != null) {
      to.addInfo(Metric.MEMORY_WAY, pool, memory, way);
    }
  }

  private static void addTraffic(Families to, PoolSnapshot from, String pool, String memory) {
    for (SizeGroup group : SizeGroup.values()) {
      to.add(Metric.ALLOCATIONS, from.allocations(group), pool, memory, group.label());
      to.add(Metric.DEALLOCATIONS, from.deallocations(group), pool, memory, group.label());
    }
    to.add(Metric.FAILED_ALLOCATIONS, from.failedAllocations(), pool, memory);
    to.add(Metric.REQUESTED_BYTES, from.get(PoolFigure.REQUESTED_BYTES_TOTAL), pool, memory);
    to.add(Metric.ROUNDED_BYTES, from.get(PoolFigure.ROUNDED_BYTES_TOTAL), pool, memory);
    to.add(Metric.LEAK_SAMPLES, from.get(PoolFigure.SAMPLES), pool, memory);
    long interval = from.get(PoolFigure.SAMPLE_INTERVAL_BYTES);
    to.add(Metric.SAMPLE_INTERVAL_BYTES, interval, pool, memory);
    long largest = from.get(PoolFigure.LARGEST_SAMPLE_INTERVAL_BYTES);
    to.add(Metric.LARGEST_SAMPLE_INTERVAL_BYTES, largest, pool, memory);
    to.add(Metric.LEAK_SAMPLES_FAILED, from.get(PoolFigure.FAILED_SAMPLES), pool, memory);
  }

  private static void addThreadCaches(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.THREAD_CACHE_REQUESTS, from.threadCacheRequests(), pool, memory);
    to.add(Metric.THREAD_CACHE_HITS, from.get(PoolFigure.THREAD_CACHE_HITS), pool, memory);
    to.add(Metric.THREAD_CACHE_MISSES, from.threadCacheMisses(), pool, memory);
    to.add(Metric.THREAD_CACHE_REFILLS, from.get(PoolFigure.THREAD_CACHE_REFILLS), pool, memory);
    to.add(Metric.THREAD_CACHE_TRIMS, from.get(PoolFigure.THREAD_CACHE_TRIMS), pool, memory);
    long revoked = from.get(PoolFigure.THREAD_CACHES_REVOKED);
    to.add(Metric.THREAD_CACHES_REVOKED, revoked, pool, memory);
    long givenUp = from.get(PoolFigure.THREAD_CACHES_GIVEN_UP);
    to.add(Metric.THREAD_CACHES_GIVEN_UP, givenUp, pool, memory);
    to.add(Metric.SHARED_CACHE_WAITS, from.get(PoolFigure.SHARED_CACHE_WAITS), pool, memory);
    to.add(Metric.REMOTE_RELEASES, from.remoteReleases(), pool, memory);
  }

  private static void addChunks(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.ARENA_LOCK_WAITS, from.sum(ArenaFigure.LOCK_WAITS), pool, memory);
    to.add(Metric.CHUNK_SIZE_BYTES, from.shape().chunkBytes(), pool, memory);
    to.add(Metric.CHUNK_ALLOCATIONS, from.sum(ArenaFigure.CHUNK_ALLOCATIONS), pool, memory);
    to.add(Metric.CHUNK_DEALLOCATIONS, from.sum(ArenaFigure.CHUNK_DEALLOCATIONS), pool, memory);
    to.add(Metric.SUBPAGES, from.subpages(), pool, memory);
    to.add(Metric.ORPHANED_SUBPAGES, from.get(PoolFigure.ORPHANED_SUBPAGES), pool, memory);
    to.add(Metric.ORPHAN_ADOPTIONS, from.get(PoolFigure.ORPHAN_ADOPTIONS), pool, memory);
  }
}
