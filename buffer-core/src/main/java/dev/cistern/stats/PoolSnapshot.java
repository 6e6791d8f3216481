/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import dev.cistern.memory.MemoryWay;
import org.jspecify.annotations.Nullable;

/**
 * One moment of one pool: a typed view of an array of longs, which files contain as it is. Seed
 * rows F1 to F4.
 *
 * <p>Cumulative figures never go back from one snapshot to the next. Reserved = pinned + cached +
 * free is exact when nobody allocates or releases; under load, free is what is left over and never
 * negative.
 */
public final class PoolSnapshot {
  private final PoolLayout shape;
  private final long[] values;

  /**
   * @param shape the pool's shape
   * @param values {@link PoolLayout#values()} values; not copied, not to be changed any more
   * @throws IllegalArgumentException if the number of values does not fit the shape
   */
  public PoolSnapshot(PoolLayout shape, long[] values) {
    if (values.length != shape.values()) {
      throw new IllegalArgumentException(
          "values: " + values.length + " (expected: " + shape.values() + ")");
    }
    this.shape = shape;
    this.values = values;
  }

  /** What does not change about the pool. */
  public PoolLayout shape() {
    return shape;
  }

  /** A figure of the pool. */
  public long get(PoolStat figure) {
    return values[shape.index(figure)];
  }

  /** A figure of an arena. */
  public long get(ArenaStat figure, int arena) {
    return values[shape.index(figure, arena)];
  }

  /** A figure of a size class. */
  public long get(SizeClassStat figure, int sizeClass) {
    return values[shape.index(figure, sizeClass)];
  }

  /** A figure of all arenas together. */
  public long sum(ArenaStat figure) {
    long sum = 0;
    for (int arena = 0; arena < shape.arenas(); arena++) {
      sum += get(figure, arena);
    }
    return sum;
  }

  private long sum(SizeClassStat figure, SizeGroup group) {
    long sum = 0;
    for (int sizeClass = 0; sizeClass < shape.sizeClasses(); sizeClass++) {
      if (shape.sizeGroup(sizeClass) == group) {
        sum += get(figure, sizeClass);
      }
    }
    return sum;
  }

  /** {@code direct} or {@code heap}. */
  public String memory() {
    return shape.memory();
  }

  /** Bytes drawn from the memory source. */
  public long reservedBytes() {
    return get(PoolStat.RESERVED_BYTES);
  }

  /** Bytes of slots that callers hold. */
  public long pinnedBytes() {
    return get(PoolStat.PINNED_BYTES);
  }

  /** Bytes of free slots that belong to thread caches. */
  public long cachedBytes() {
    return get(PoolStat.CACHED_BYTES);
  }

  /** Reserved bytes that are neither pinned nor cached. */
  public long freeBytes() {
    return Math.max(0, reservedBytes() - pinnedBytes() - cachedBytes());
  }

  /** Returns the reserved bytes that are resident, or a negative number if that is not known. */
  public long residentBytes() {
    return get(PoolStat.RESIDENT_BYTES);
  }

  /**
   * Returns how native memory is allocated, as the label {@code way} of the metrics; null if that
   * is not known.
   */
  public @Nullable String memoryWay() {
    return MemoryWay.labelOf(get(PoolStat.MEMORY_WAY));
  }

  /** Bytes out of the memory source, this pool's and others'. */
  public long usedBytes() {
    return get(PoolStat.USED_BYTES);
  }

  /** Limit of the memory source, {@link Long#MAX_VALUE} for none. */
  public long limitBytes() {
    return get(PoolStat.LIMIT_BYTES);
  }

  /**
   * Allocations of a size group from an arena since the pool began. Huge extents belong to no
   * arena: 0.
   */
  public long arenaAllocations(int arena, SizeGroup group) {
    return switch (group) {
      case SMALL -> get(ArenaStat.SMALL_ALLOCATIONS, arena);
      case NORMAL -> get(ArenaStat.NORMAL_ALLOCATIONS, arena);
      case HUGE -> 0;
    };
  }

  /** Releases of those, by whatever thread. */
  public long arenaDeallocations(int arena, SizeGroup group) {
    return switch (group) {
      case SMALL -> get(ArenaStat.SMALL_DEALLOCATIONS, arena);
      case NORMAL -> get(ArenaStat.NORMAL_DEALLOCATIONS, arena);
      case HUGE -> 0;
    };
  }

  /** Bytes of an arena's slots that callers hold. */
  public long arenaPinnedBytes(int arena) {
    return get(ArenaStat.PINNED_BYTES, arena);
  }

  /** Allocations of a size group since the pool began. */
  public long allocations(SizeGroup group) {
    return group == SizeGroup.HUGE
        ? get(PoolStat.HUGE_ALLOCATIONS)
        : sum(SizeClassStat.ALLOCATIONS, group);
  }

  /** Returns the number of allocations of all sizes since the pool began. */
  public long allocations() {
    return allocations(SizeGroup.SMALL)
        + allocations(SizeGroup.NORMAL)
        + allocations(SizeGroup.HUGE);
  }

  /** Returns the number of releases of all sizes since the pool began. */
  public long deallocations() {
    return deallocations(SizeGroup.SMALL)
        + deallocations(SizeGroup.NORMAL)
        + deallocations(SizeGroup.HUGE);
  }

  /** Releases of a size group since the pool began. */
  public long deallocations(SizeGroup group) {
    return group == SizeGroup.HUGE
        ? get(PoolStat.HUGE_DEALLOCATIONS)
        : sum(SizeClassStat.DEALLOCATIONS, group);
  }

  /** Thread caches of living threads. */
  public long threadCaches() {
    return get(PoolStat.THREAD_CACHES);
  }

  /** Allocations that asked a thread cache. */
  public long threadCacheRequests() {
    return get(PoolStat.THREAD_CACHE_REQUESTS);
  }

  /** Those of them that had to go to an arena. */
  public long threadCacheMisses() {
    return get(PoolStat.THREAD_CACHE_MISSES);
  }

  /** Slots released by a thread that does not own them. */
  public long remoteReleases() {
    return get(PoolStat.REMOTE_RELEASES);
  }

  /** Allocations that failed for want of memory. */
  public long failedAllocations() {
    return get(PoolStat.FAILED_ALLOCATIONS);
  }

  /** Bytes of huge extents, in use and cached. */
  public long hugeReservedBytes() {
    return get(PoolStat.HUGE_RESERVED_BYTES);
  }

  /** Bytes of huge extents in use. */
  public long hugePinnedBytes() {
    return get(PoolStat.HUGE_PINNED_BYTES);
  }

  /** Bytes of huge extents that wait for their next use. */
  public long hugeCachedBytes() {
    return Math.max(0, hugeReservedBytes() - hugePinnedBytes());
  }

  /** Number of arenas. */
  public int arenas() {
    return shape.arenas();
  }

  /** Bytes of an arena's chunks. */
  public long arenaReservedBytes(int arena) {
    return get(ArenaStat.RESERVED_BYTES, arena);
  }

  /** Subpages in all chunks. */
  public long subpages() {
    return sum(ArenaStat.SUBPAGES);
  }

  /** Chunks in a band, all arenas together. */
  public long chunks(UsageBand band) {
    return sum(ArenaStat.chunks(band));
  }

  /** Chunks of an arena in a band. */
  public long chunks(int arena, UsageBand band) {
    return get(ArenaStat.chunks(band), arena);
  }

  /** Number of size classes. */
  public int sizeClasses() {
    return shape.sizeClasses();
  }

  /** Size of a class in bytes. */
  public int sizeClassBytes(int sizeClass) {
    return shape.sizeClassBytes(sizeClass);
  }

  /** Free slots of a class that belong to thread caches. */
  public long sizeClassCachedSlots(int sizeClass) {
    return get(SizeClassStat.CACHED_SLOTS, sizeClass);
  }
}
