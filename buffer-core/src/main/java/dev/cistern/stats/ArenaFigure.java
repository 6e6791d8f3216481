/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** The figures of one arena. The six chunk counts stand in the order of {@link Band}. */
public enum ArenaFigure {
  /** Bytes of this arena's chunks. */
  RESERVED_BYTES,
  /** Thread caches that draw from this arena. */
  THREAD_CACHES,
  /** Times that a thread found the arena's lock taken. */
  LOCK_WAITS,
  /** Chunks taken from the memory source. */
  CHUNK_ALLOCATIONS,
  /** Chunks given back to it. */
  CHUNK_DEALLOCATIONS,
  /** Subpages in the arena's chunks. */
  SUBPAGES,
  /** Bytes of runs in use, as a subpage, by a caller or in a cache. */
  RUN_BYTES,
  /** Slots of the arena's subpages handed out, since the pool began. */
  SMALL_ALLOCATIONS,
  /** Slots of its subpages that came back, from whatever thread. */
  SMALL_DEALLOCATIONS,
  /** Runs of the arena handed out, since the pool began. */
  NORMAL_ALLOCATIONS,
  /** Runs of it that came back, from whatever thread. */
  NORMAL_DEALLOCATIONS,
  /** Bytes of the arena's slots that callers hold. */
  PINNED_BYTES,
  /** Bytes of its free slots that belong to thread caches. */
  CACHED_BYTES,
  /** Chunks in {@link Band#QINIT}. */
  CHUNKS_QINIT,
  /** Chunks in {@link Band#Q000}. */
  CHUNKS_Q000,
  /** Chunks in {@link Band#Q025}. */
  CHUNKS_Q025,
  /** Chunks in {@link Band#Q050}. */
  CHUNKS_Q050,
  /** Chunks in {@link Band#Q075}. */
  CHUNKS_Q075,
  /** Chunks in {@link Band#Q100}. */
  CHUNKS_Q100;

  private static final ArenaFigure[] ALL = values();
  static final int COUNT = ALL.length;

  /** The figure that counts the chunks of a band. */
  public static ArenaFigure chunks(Band band) {
    return ALL[CHUNKS_QINIT.ordinal() + band.ordinal()];
  }
}
