/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** The figures of a whole pool; a figure's place in a {@link PoolSnapshot} is its ordinal. */
public enum PoolFigure {
  /** Bytes of chunks and huge extents that the pool holds. */
  RESERVED_BYTES,
  /** Bytes of slots that callers hold. */
  PINNED_BYTES,
  /** Bytes of free slots that belong to thread caches. */
  CACHED_BYTES,
  /** Bytes out of the memory source, this pool's and others'. */
  USED_BYTES,
  /** Limit of the memory source, {@link Long#MAX_VALUE} for none. */
  LIMIT_BYTES,
  /** Bytes asked for, all allocations added up. */
  REQUESTED_BYTES_TOTAL,
  /** Bytes given for them, all allocations added up. */
  ROUNDED_BYTES_TOTAL,
  /** Thread caches of living threads. */
  THREAD_CACHES,
  /** Allocations that asked a thread cache. */
  THREAD_CACHE_REQUESTS,
  /** Those that needed nothing from an arena; requests - misses, under load about that. */
  THREAD_CACHE_HITS,
  /** Those that had to go to the arena for a subpage, an orphan or a run. */
  THREAD_CACHE_MISSES,
  /**
   * Those that found nothing at hand and got the cache new slots: the misses, and those for which
   * it took over what other threads had released or went on with a subpage it had set aside.
   */
  THREAD_CACHE_REFILLS,
  /** Times that a thread cache was trimmed. */
  THREAD_CACHE_TRIMS,
  /** Thread caches given up by their thread, after its death, or in its sleep. */
  THREAD_CACHES_GIVEN_UP,
  /** Thread caches that the maintenance thread retired while their thread slept. */
  THREAD_CACHES_REVOKED,
  /** Slots released by a thread that does not own them, huge extents not among them. */
  REMOTE_RELEASES,
  /** Allocations that failed for want of memory. */
  FAILED_ALLOCATIONS,
  /** Allocations above the chunk size. */
  HUGE_ALLOCATIONS,
  /** Releases of those. */
  HUGE_DEALLOCATIONS,
  /** Bytes of huge extents, in use and cached. */
  HUGE_RESERVED_BYTES,
  /** Bytes of huge extents in use. */
  HUGE_PINNED_BYTES,
  /** Subpages that lost their thread and wait for another. */
  ORPHANED_SUBPAGES,
  /** Times that such a subpage got another. */
  ORPHAN_ADOPTIONS,
  /** Times that a thread without a cache of its own waited for a shared one. */
  SHARED_CACHE_WAITS,
  /** Allocations that the byte sampler drew. */
  SAMPLES,
  /** Those that the front end could not take up. */
  FAILED_SAMPLES,
  /** Mean bytes between two samples, as set; 0: sampling is off. */
  SAMPLE_INTERVAL_BYTES,
  /** The largest interval in force of any thread: each raises its own where it samples too much. */
  LARGEST_SAMPLE_INTERVAL_BYTES,
  /**
   * Bytes of the reserved memory that are resident, measured up to a minute ago; -1: not known, or
   * a pool of heap memory.
   */
  RESIDENT_BYTES,
  /**
   * How native memory is allocated: the ordinal of a {@link dev.cistern.memory.MemoryWay}; -1: none
   * has been yet, or a pool of heap memory.
   */
  MEMORY_WAY;

  /** Value of {@link #RESIDENT_BYTES} and {@link #MEMORY_WAY} that are not known. */
  public static final long UNKNOWN = -1;

  static final int COUNT = values().length;

  /** Returns the value of a figure that an earlier version did not write. */
  public long missing() {
    return this == RESIDENT_BYTES || this == MEMORY_WAY ? UNKNOWN : 0;
  }
}
