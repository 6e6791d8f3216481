/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolLayout;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeClassStat;
import dev.cistern.stats.SizeGroup;

/** A builder of one snapshot, which adds up the statistics of a pool. */
class SnapshotBuilder {
  private final PoolLayout layout;
  private final long[] values;

  SnapshotBuilder(PoolLayout layout) {
    this.layout = layout;
    this.values = new long[layout.values()];
  }

  private long get(PoolStat stat) {
    return values[layout.index(stat)];
  }

  private long get(ArenaStat stat, int arena) {
    return values[layout.index(stat, arena)];
  }

  private long get(SizeClassStat stat, int sizeClass) {
    return values[layout.index(stat, sizeClass)];
  }

  void set(PoolStat stat, long value) {
    values[layout.index(stat)] = value;
  }

  void set(ArenaStat stat, int arena, long value) {
    values[layout.index(stat, arena)] = value;
  }

  void add(PoolStat stat, long value) {
    values[layout.index(stat)] += value;
  }

  void add(ArenaStat stat, int arena, long value) {
    values[layout.index(stat, arena)] += value;
  }

  private void add(SizeClassStat stat, int sizeClass, long value) {
    values[layout.index(stat, sizeClass)] += value;
  }

  // ---- releases

  /** Adds a cache's releases, of its own slots and of slots that other threads own. */
  void addReleases(CacheCounters cache) {
    cache.reportRemoteReleases(this);
    for (BinCounters bin : cache.bins()) {
      if (bin != null) {
        long releases = bin.readReleases();
        add(SizeClassStat.DEALLOCATIONS, bin.sizeClass, releases);
        addArenaReleases(cache.arena.index, bin.sizeClass, releases);
      }
    }
  }

  void addRemoteReleases(int sizeClass, long releases) {
    add(SizeClassStat.DEALLOCATIONS, sizeClass, releases);
    add(PoolStat.REMOTE_RELEASES, releases);
  }

  void addArenaReleases(int arena, int sizeClass, long releases) {
    boolean isSmall = layout.sizeGroup(sizeClass) == SizeGroup.SMALL;
    long bytes = releases * layout.sizeClassBytes(sizeClass);
    addArenaReleases(arena, isSmall ? releases : 0, isSmall ? 0 : releases, bytes);
  }

  void addArenaReleases(int arena, long small, long normal, long bytes) {
    add(ArenaStat.SMALL_DEALLOCATIONS, arena, small);
    add(ArenaStat.NORMAL_DEALLOCATIONS, arena, normal);
    add(ArenaStat.PINNED_BYTES, arena, -bytes);
  }

  // ---- allocations

  /** Adds a cache's allocations and cached slots; called after the releases of all caches. */
  void addAllocations(CacheCounters cache) {
    add(PoolStat.THREAD_CACHE_TRIMS, cache.readTrims());
    for (BinCounters bin : cache.bins()) {
      if (bin != null) {
        addAllocations(cache.arena.index, bin);
      }
    }
  }

  private void addAllocations(int arena, BinCounters bin) {
    int sizeClass = bin.sizeClass;
    long requested = bin.readRequestedBytes(); // first, so that it stays below the rounded bytes
    long allocations = bin.readAllocations();
    long misses = bin.readMisses(); // last, so that hits are too low rather than too high
    long cached = bin.readCachedSlots();
    add(SizeClassStat.REQUESTED_BYTES, sizeClass, requested);
    add(PoolStat.REQUESTED_BYTES_TOTAL, requested);
    add(SizeClassStat.ALLOCATIONS, sizeClass, allocations);
    add(PoolStat.THREAD_CACHE_REQUESTS, allocations);
    boolean isSmall = layout.sizeGroup(sizeClass) == SizeGroup.SMALL;
    add(ArenaStat.SMALL_ALLOCATIONS, arena, isSmall ? allocations : 0);
    add(ArenaStat.NORMAL_ALLOCATIONS, arena, isSmall ? 0 : allocations);
    add(ArenaStat.PINNED_BYTES, arena, allocations * bin.slotBytes);
    add(SizeClassStat.MISSES, sizeClass, misses);
    add(PoolStat.THREAD_CACHE_MISSES, misses);
    add(PoolStat.THREAD_CACHE_REFILLS, misses + bin.readRemoteRefills());
    add(PoolStat.ORPHAN_ADOPTIONS, bin.readAdoptions());
    add(SizeClassStat.CACHED_SLOTS, sizeClass, cached);
    add(ArenaStat.CACHED_BYTES, arena, cached * bin.slotBytes);
  }

  /**
   * Sets the hits, which are requests minus misses, so that they never decrease.
   *
   * @param least the maximum of the hits that were reported before
   * @return the hits that are reported now
   */
  long hits(long least) {
    long requests = get(PoolStat.THREAD_CACHE_REQUESTS);
    long leftOver = requests - get(PoolStat.THREAD_CACHE_MISSES);
    // Up to the requests: a snapshot that began before a newer one has read fewer requests.
    long hits = Math.min(requests, Math.max(least, leftOver));
    set(PoolStat.THREAD_CACHE_HITS, hits);
    return hits;
  }

  void addHuge(long requested, long rounded) {
    add(PoolStat.REQUESTED_BYTES_TOTAL, requested);
    add(PoolStat.ROUNDED_BYTES_TOTAL, rounded);
  }

  // ---- the sums

  PoolSnapshot build() {
    long pinned = get(PoolStat.HUGE_PINNED_BYTES);
    long cached = 0;
    for (int sizeClass = 0; sizeClass < layout.sizeClasses(); sizeClass++) {
      long bytes = layout.sizeClassBytes(sizeClass);
      long allocations = get(SizeClassStat.ALLOCATIONS, sizeClass);
      long inUse = allocations - get(SizeClassStat.DEALLOCATIONS, sizeClass);
      pinned += Math.max(0, inUse) * bytes;
      cached += get(SizeClassStat.CACHED_SLOTS, sizeClass) * bytes;
      add(PoolStat.ROUNDED_BYTES_TOTAL, allocations * bytes);
    }
    long reserved = get(PoolStat.HUGE_RESERVED_BYTES);
    for (int arena = 0; arena < layout.arenas(); arena++) {
      reserved += get(ArenaStat.RESERVED_BYTES, arena);
      fitArena(arena);
    }
    pinned = Math.min(pinned, reserved);
    set(PoolStat.PINNED_BYTES, pinned);
    set(PoolStat.CACHED_BYTES, Math.min(cached, reserved - pinned));
    set(PoolStat.RESERVED_BYTES, reserved);
    return new PoolSnapshot(layout, values);
  }

  /** Limits an arena's bytes: under load, chunks may be freed after their slots were read. */
  private void fitArena(int arena) {
    long reserved = get(ArenaStat.RESERVED_BYTES, arena);
    long pinned = Math.min(Math.max(0, get(ArenaStat.PINNED_BYTES, arena)), reserved);
    set(ArenaStat.PINNED_BYTES, arena, pinned);
    long cached = Math.min(get(ArenaStat.CACHED_BYTES, arena), reserved - pinned);
    set(ArenaStat.CACHED_BYTES, arena, cached);
  }
}
