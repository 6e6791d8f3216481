/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** The statistics of one arena. The six chunk counts are in the order of {@link UsageBand}. */
public enum ArenaStat {
  /** Bytes of the arena's chunks. */
  RESERVED_BYTES,
  /** Number of thread caches that use the arena, without shared caches. */
  THREAD_CACHES,
  /** Number of times that a thread waited for the arena's lock. */
  LOCK_WAITS,
  /** Number of chunks allocated from the memory source. */
  CHUNK_ALLOCATIONS,
  /** Number of chunks freed. */
  CHUNK_DEALLOCATIONS,
  /** Number of subpages in the arena's chunks. */
  SUBPAGES,
  /** Bytes of the runs of all subpages, and of whole runs in use or in a cache. */
  RUN_BYTES,
  /** Number of allocations of {@link SizeGroup#SMALL} slots of the arena since the start. */
  SMALL_ALLOCATIONS,
  /** Number of releases of {@link SizeGroup#SMALL} slots of the arena, by any thread. */
  SMALL_DEALLOCATIONS,
  /** Number of allocations of {@link SizeGroup#NORMAL} slots of the arena since the start. */
  NORMAL_ALLOCATIONS,
  /** Number of releases of {@link SizeGroup#NORMAL} slots of the arena, by any thread. */
  NORMAL_DEALLOCATIONS,
  /** Bytes of the arena's slots in use. */
  PINNED_BYTES,
  /** Bytes of the arena's free slots in thread caches and shared caches. */
  CACHED_BYTES,
  /** Number of chunks in {@link UsageBand#QINIT}. */
  CHUNKS_QINIT,
  /** Number of chunks in {@link UsageBand#Q000}. */
  CHUNKS_Q000,
  /** Number of chunks in {@link UsageBand#Q025}. */
  CHUNKS_Q025,
  /** Number of chunks in {@link UsageBand#Q050}. */
  CHUNKS_Q050,
  /** Number of chunks in {@link UsageBand#Q075}. */
  CHUNKS_Q075,
  /** Number of chunks in {@link UsageBand#Q100}. */
  CHUNKS_Q100;

  private static final ArenaStat[] ALL = values();
  static final int COUNT = ALL.length;

  /** Returns the statistic that counts the chunks of a band. */
  public static ArenaStat chunks(UsageBand band) {
    return ALL[CHUNKS_QINIT.ordinal() + band.ordinal()];
  }
}
