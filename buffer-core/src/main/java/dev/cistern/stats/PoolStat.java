/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The statistics of a whole pool. The index of each one in a {@link PoolSnapshot} is its ordinal.
 */
public enum PoolStat {
  /** Bytes of chunks and huge extents. */
  RESERVED_BYTES,
  /** Bytes of slots in use. */
  PINNED_BYTES,
  /** Bytes of free slots in thread caches and shared caches. */
  CACHED_BYTES,
  /** Bytes allocated from the memory source, by this pool and by other pools. */
  USED_BYTES,
  /** Limit of the memory source, {@link Long#MAX_VALUE} for none. */
  LIMIT_BYTES,
  /** Bytes requested by all allocations since the pool was created. */
  REQUESTED_BYTES_TOTAL,
  /** Bytes of the slots of all these allocations. */
  ROUNDED_BYTES_TOTAL,
  /** Number of thread caches that are not retired, without shared caches. */
  THREAD_CACHES,
  /** Number of allocations from thread caches and shared caches: all but huge ones. */
  THREAD_CACHE_REQUESTS,
  /** Number of requests that needed no arena: requests minus misses; approximate under load. */
  THREAD_CACHE_HITS,
  /** Number of requests that needed a subpage, an orphan or a run of the arena. */
  THREAD_CACHE_MISSES,
  /**
   * Number of requests that found no free slot in the current group, and refilled the bin: from the
   * arena (a miss), with slots that other threads released, or with another group of the bin.
   */
  THREAD_CACHE_REFILLS,
  /** Number of trims of a whole cache or of one bin. */
  THREAD_CACHE_TRIMS,
  /** Number of caches retired by their thread, after its death, or while it slept. */
  THREAD_CACHES_GIVEN_UP,
  /** Number of caches retired while their thread slept. */
  THREAD_CACHES_REVOKED,
  /** Number of releases by a thread that does not own the slot, without huge extents. */
  REMOTE_RELEASES,
  /** Number of allocations that failed because memory was short. */
  FAILED_ALLOCATIONS,
  /** Number of allocations above the chunk size. */
  HUGE_ALLOCATIONS,
  /** Number of releases of huge extents. */
  HUGE_DEALLOCATIONS,
  /** Bytes of huge extents, in use and cached. */
  HUGE_RESERVED_BYTES,
  /** Bytes of huge extents in use. */
  HUGE_PINNED_BYTES,
  /** Number of subpages that no cache owns and that a cache can adopt. */
  ORPHANED_SUBPAGES,
  /** Number of adoptions of orphans. */
  ORPHAN_ADOPTIONS,
  /** Number of times that a thread without its own cache waited for a shared cache. */
  SHARED_CACHE_WAITS,
  /** Number of samples that the front end accepted. */
  SAMPLES,
  /** Number of samples that the front end failed to accept; not part of {@link #SAMPLES}. */
  FAILED_SAMPLES,
  /** Mean number of bytes between two samples, as configured; 0 if sampling is off. */
  SAMPLE_INTERVAL_BYTES,
  /** The largest mean that a thread uses. A thread that samples too often increases its mean. */
  LARGEST_SAMPLE_INTERVAL_BYTES,
  /**
   * Bytes of the reserved memory that are resident, measured up to a minute ago; -1 if unknown, and
   * for a pool of heap memory.
   */
  RESIDENT_BYTES,
  /**
   * The way in which native memory is allocated: the ordinal of a {@link
   * dev.cistern.memory.MemoryWay}; -1 before the first allocation, and for a pool of heap memory.
   */
  MEMORY_WAY;

  /** The value of {@link #RESIDENT_BYTES} or {@link #MEMORY_WAY} if it is unknown. */
  public static final long UNKNOWN = -1;

  static final int COUNT = values().length;

  /** Returns the value of a statistic that an earlier version did not write. */
  public long missing() {
    return this == RESIDENT_BYTES || this == MEMORY_WAY ? UNKNOWN : 0;
  }
}
