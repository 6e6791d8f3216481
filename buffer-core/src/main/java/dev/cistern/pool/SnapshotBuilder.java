/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;

/** Adds up a pool's figures for one snapshot. */
final class SnapshotBuilder {
  private final PoolShape shape;
  private final long[] values;

  SnapshotBuilder(PoolShape shape) {
    this.shape = shape;
    this.values = new long[shape.values()];
  }

  void set(PoolFigure figure, long value) {
    values[shape.index(figure)] = value;
  }

  void set(ArenaFigure figure, int arena, long value) {
    values[shape.index(figure, arena)] = value;
  }

  private void add(PoolFigure figure, long value) {
    values[shape.index(figure)] += value;
  }

  void threadCaches(long living, long givenUp, long revoked) {
    set(PoolFigure.THREAD_CACHES, living);
    set(PoolFigure.THREAD_CACHES_GIVEN_UP, givenUp);
    set(PoolFigure.THREAD_CACHES_REVOKED, revoked);
  }

  void arenaThreadCaches(Arena arena) {
    set(ArenaFigure.THREAD_CACHES, arena.index, arena.threadCaches);
  }

  void addClass(int sizeClass, long allocations, long deallocations) {
    values[shape.index(ClassFigure.ALLOCATIONS, sizeClass)] += allocations;
    values[shape.index(ClassFigure.DEALLOCATIONS, sizeClass)] += deallocations;
  }

  void addCacheTotals(
      long requests, long misses, long remoteReleases, long requestedBytes, long trims) {
    add(PoolFigure.THREAD_CACHE_REQUESTS, requests);
    add(PoolFigure.THREAD_CACHE_MISSES, misses);
    add(PoolFigure.REMOTE_RELEASES, remoteReleases);
    add(PoolFigure.REQUESTED_BYTES_TOTAL, requestedBytes);
    add(PoolFigure.THREAD_CACHE_TRIMS, trims);
  }

  void addReleases(ThreadCache cache) {
    for (Bin bin : cache.bins) {
      if (bin != null) {
        long remote = BinCounters.remoteReleases(bin);
        long releases = BinCounters.releases(bin);
        addClass(bin.sizeClass, 0, releases + remote);
        add(PoolFigure.REMOTE_RELEASES, remote);
        values[shape.index(ClassFigure.CACHED_SLOTS, bin.sizeClass)] += releases;
      }
    }
  }

  void addAllocations(ThreadCache cache) {
    add(PoolFigure.THREAD_CACHE_TRIMS, cache.trims);
    for (Bin bin : cache.bins) {
      if (bin != null) {
        // Allocations first: hits then come out low rather than high, and can be held monotonic.
        long allocations = BinCounters.allocations(bin);
        long misses = BinCounters.misses(bin);
        addClass(bin.sizeClass, allocations, 0);
        add(PoolFigure.THREAD_CACHE_REQUESTS, allocations);
        add(PoolFigure.THREAD_CACHE_MISSES, misses);
        add(PoolFigure.REQUESTED_BYTES_TOTAL, BinCounters.requestedBytes(bin));
        values[shape.index(ClassFigure.CACHED_SLOTS, bin.sizeClass)] +=
            BinCounters.slotsTaken(bin) - allocations;
      }
    }
  }

  /**
   * Sets the hits, which are not counted but left over, so that they do not go back.
   *
   * @param least what was reported before
   * @return what is reported now
   */
  long hits(long least) {
    long requests = values[shape.index(PoolFigure.THREAD_CACHE_REQUESTS)];
    long misses = values[shape.index(PoolFigure.THREAD_CACHE_MISSES)];
    long hits = Math.max(least, requests - misses);
    set(PoolFigure.THREAD_CACHE_HITS, hits);
    return hits;
  }

  void addForeignReleases(int sizeClass, long releases) {
    addClass(sizeClass, 0, releases);
    add(PoolFigure.REMOTE_RELEASES, releases);
  }

  void addHuge(long requested, long rounded) {
    add(PoolFigure.REQUESTED_BYTES_TOTAL, requested);
    add(PoolFigure.ROUNDED_BYTES_TOTAL, rounded);
  }

  PoolSnapshot build() {
    long pinned = values[shape.index(PoolFigure.HUGE_PINNED_BYTES)];
    long reserved = values[shape.index(PoolFigure.HUGE_RESERVED_BYTES)];
    long cached = 0;
    for (int sizeClass = 0; sizeClass < shape.sizeClasses(); sizeClass++) {
      long bytes = shape.sizeClassBytes(sizeClass);
      long allocations = values[shape.index(ClassFigure.ALLOCATIONS, sizeClass)];
      long inUse = allocations - values[shape.index(ClassFigure.DEALLOCATIONS, sizeClass)];
      int cachedIndex = shape.index(ClassFigure.CACHED_SLOTS, sizeClass);
      values[cachedIndex] = Math.max(0, values[cachedIndex]);
      pinned += Math.max(0, inUse) * bytes;
      cached += values[cachedIndex] * bytes;
      add(PoolFigure.ROUNDED_BYTES_TOTAL, allocations * bytes);
    }
    for (int arena = 0; arena < shape.arenas(); arena++) {
      reserved += values[shape.index(ArenaFigure.RESERVED_BYTES, arena)];
    }
    set(PoolFigure.PINNED_BYTES, Math.min(pinned, reserved));
    set(PoolFigure.CACHED_BYTES, Math.min(cached, Math.max(0, reserved - pinned)));
    set(PoolFigure.RESERVED_BYTES, reserved);
    return new PoolSnapshot(shape, values);
  }
}
