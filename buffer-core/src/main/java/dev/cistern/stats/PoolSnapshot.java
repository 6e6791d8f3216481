/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import dev.cistern.memory.MemoryWay;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one pool at one moment: a typed view of an array of longs, which files contain
 * unchanged.
 *
 * <p>Cumulative values never decrease from one snapshot to the next. Reserved = pinned + cached +
 * free is exact while no thread allocates or releases; under load, free is the difference, and
 * never negative.
 */
public final class PoolSnapshot {
  private final PoolLayout layout;
  private final long[] values;

  /**
   * @param layout the pool's layout
   * @param values {@link PoolLayout#values()} values; the array is not copied, and must not change
   *     any more
   * @throws IllegalArgumentException if the number of values does not fit the layout
   */
  public PoolSnapshot(PoolLayout layout, long[] values) {
    if (values.length != layout.values()) {
      throw new IllegalArgumentException(
          "values: " + values.length + " (expected: " + layout.values() + ")");
    }
    this.layout = layout;
    this.values = values;
  }

  /** Returns the properties of the pool that do not change. */
  public PoolLayout layout() {
    return layout;
  }

  /** Returns a statistic of the pool. */
  public long get(PoolStat stat) {
    return values[layout.index(stat)];
  }

  /** Returns a statistic of an arena. */
  public long get(ArenaStat stat, int arena) {
    return values[layout.index(stat, arena)];
  }

  /** Returns a statistic of a size class. */
  public long get(SizeClassStat stat, int sizeClass) {
    return values[layout.index(stat, sizeClass)];
  }

  /** Returns the sum of a statistic over all arenas. */
  public long sum(ArenaStat stat) {
    long sum = 0;
    for (int arena = 0; arena < layout.arenas(); arena++) {
      sum += get(stat, arena);
    }
    return sum;
  }

  private long sum(SizeClassStat stat, SizeGroup group) {
    long sum = 0;
    for (int sizeClass = 0; sizeClass < layout.sizeClasses(); sizeClass++) {
      if (layout.sizeGroup(sizeClass) == group) {
        sum += get(stat, sizeClass);
      }
    }
    return sum;
  }

  /** Returns the kind of memory, {@code direct} or {@code heap}. */
  public String memory() {
    return layout.memory();
  }

  /** Returns the bytes that the pool has allocated from the memory source. */
  public long reservedBytes() {
    return get(PoolStat.RESERVED_BYTES);
  }

  /** Returns the bytes of slots in use. */
  public long pinnedBytes() {
    return get(PoolStat.PINNED_BYTES);
  }

  /** Returns the bytes of free slots in thread caches and shared caches. */
  public long cachedBytes() {
    return get(PoolStat.CACHED_BYTES);
  }

  /** Returns the reserved bytes that are neither pinned nor cached. */
  public long freeBytes() {
    return Math.max(0, reservedBytes() - pinnedBytes() - cachedBytes());
  }

  /** Returns the reserved bytes that are resident, or a negative number if they are unknown. */
  public long residentBytes() {
    return get(PoolStat.RESIDENT_BYTES);
  }

  /**
   * Returns how native memory is allocated, as the label {@code way} of the metrics; null if that
   * is unknown.
   */
  public @Nullable String memoryWay() {
    return MemoryWay.labelOf(get(PoolStat.MEMORY_WAY));
  }

  /** Returns the bytes allocated from the memory source, by this pool and by other pools. */
  public long usedBytes() {
    return get(PoolStat.USED_BYTES);
  }

  /** Returns the limit of the memory source in bytes, {@link Long#MAX_VALUE} for none. */
  public long limitBytes() {
    return get(PoolStat.LIMIT_BYTES);
  }

  /**
   * Returns the number of allocations of a size group from an arena since the pool was created; 0
   * for huge extents, which belong to no arena.
   */
  public long arenaAllocations(int arena, SizeGroup group) {
    return switch (group) {
      case SMALL -> get(ArenaStat.SMALL_ALLOCATIONS, arena);
      case NORMAL -> get(ArenaStat.NORMAL_ALLOCATIONS, arena);
      case HUGE -> 0;
    };
  }

  /** Returns the number of releases of these allocations, by any thread. */
  public long arenaDeallocations(int arena, SizeGroup group) {
    return switch (group) {
      case SMALL -> get(ArenaStat.SMALL_DEALLOCATIONS, arena);
      case NORMAL -> get(ArenaStat.NORMAL_DEALLOCATIONS, arena);
      case HUGE -> 0;
    };
  }

  /** Returns the bytes of an arena's slots in use. */
  public long arenaPinnedBytes(int arena) {
    return get(ArenaStat.PINNED_BYTES, arena);
  }

  /** Returns the number of allocations of a size group since the pool was created. */
  public long allocations(SizeGroup group) {
    return group == SizeGroup.HUGE
        ? get(PoolStat.HUGE_ALLOCATIONS)
        : sum(SizeClassStat.ALLOCATIONS, group);
  }

  /** Returns the number of allocations of all sizes since the pool was created. */
  public long allocations() {
    return allocations(SizeGroup.SMALL)
        + allocations(SizeGroup.NORMAL)
        + allocations(SizeGroup.HUGE);
  }

  /** Returns the number of releases of all sizes since the pool was created. */
  public long deallocations() {
    return deallocations(SizeGroup.SMALL)
        + deallocations(SizeGroup.NORMAL)
        + deallocations(SizeGroup.HUGE);
  }

  /** Returns the number of releases of a size group since the pool was created. */
  public long deallocations(SizeGroup group) {
    return group == SizeGroup.HUGE
        ? get(PoolStat.HUGE_DEALLOCATIONS)
        : sum(SizeClassStat.DEALLOCATIONS, group);
  }

  /** Returns the number of thread caches that are not retired. */
  public long threadCaches() {
    return get(PoolStat.THREAD_CACHES);
  }

  /** Returns the number of allocations from thread caches and shared caches. */
  public long threadCacheRequests() {
    return get(PoolStat.THREAD_CACHE_REQUESTS);
  }

  /** Returns the number of these allocations that needed an arena. */
  public long threadCacheMisses() {
    return get(PoolStat.THREAD_CACHE_MISSES);
  }

  /** Returns the number of releases by a thread that does not own the slot. */
  public long remoteReleases() {
    return get(PoolStat.REMOTE_RELEASES);
  }

  /** Returns the number of allocations that failed because memory was short. */
  public long failedAllocations() {
    return get(PoolStat.FAILED_ALLOCATIONS);
  }

  /** Returns the bytes of huge extents, in use and cached. */
  public long hugeReservedBytes() {
    return get(PoolStat.HUGE_RESERVED_BYTES);
  }

  /** Returns the bytes of huge extents in use. */
  public long hugePinnedBytes() {
    return get(PoolStat.HUGE_PINNED_BYTES);
  }

  /** Returns the bytes of free huge extents that wait for their next use. */
  public long hugeCachedBytes() {
    return Math.max(0, hugeReservedBytes() - hugePinnedBytes());
  }

  /** Returns the number of arenas. */
  public int arenas() {
    return layout.arenas();
  }

  /** Returns the bytes of an arena's chunks. */
  public long arenaReservedBytes(int arena) {
    return get(ArenaStat.RESERVED_BYTES, arena);
  }

  /** Returns the number of subpages in all chunks. */
  public long subpages() {
    return sum(ArenaStat.SUBPAGES);
  }

  /** Returns the number of chunks in a band, of all arenas together. */
  public long chunks(UsageBand band) {
    return sum(ArenaStat.chunks(band));
  }

  /** Returns the number of chunks of an arena in a band. */
  public long chunks(int arena, UsageBand band) {
    return get(ArenaStat.chunks(band), arena);
  }

  /** Returns the number of size classes. */
  public int sizeClasses() {
    return layout.sizeClasses();
  }

  /** Returns the size of a class in bytes. */
  public int sizeClassBytes(int sizeClass) {
    return layout.sizeClassBytes(sizeClass);
  }

  /** Returns the number of free slots of a class in thread caches and shared caches. */
  public long sizeClassCachedSlots(int sizeClass) {
    return get(SizeClassStat.CACHED_SLOTS, sizeClass);
  }
}
