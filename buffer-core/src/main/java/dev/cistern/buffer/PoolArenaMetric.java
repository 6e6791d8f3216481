/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.List;

/**
 * What an arena holds, and what was allocated through it (seed rows F1, F2). Each method shows the
 * moment of its call.
 *
 * <p>Where the figures mean something else than Netty 4.1's of the same name: allocations and
 * releases that a thread cache serves count as well (there, only what reaches the arena); a slot
 * that waits in a thread cache is not active (there, it is); huge ones, which belong to no arena
 * here, all show in the first.
 */
public interface PoolArenaMetric extends SizeClassesMetric {
  /** Thread caches that draw from the arena. */
  int numThreadCaches();

  /** Subpages in the arena's chunks. */
  int numSmallSubpages();

  /** Lists of chunks. */
  default int numChunkLists() {
    return chunkLists().size();
  }

  /** The subpages in the arena's chunks. */
  List<PoolSubpageMetric> smallSubpages();

  /** The lists of chunks, from the emptiest band to the full one. */
  List<PoolChunkListMetric> chunkLists();

  /** Allocations of every size. */
  long numAllocations();

  /** Allocations that a subpage served. */
  long numSmallAllocations();

  /** Allocations that a run of pages served. */
  long numNormalAllocations();

  /** Allocations above the size of a chunk. */
  long numHugeAllocations();

  /** Releases of every size. */
  long numDeallocations();

  /** Releases of what a subpage served. */
  long numSmallDeallocations();

  /** Releases of what a run of pages served. */
  long numNormalDeallocations();

  /** Releases of what was above the size of a chunk. */
  long numHugeDeallocations();

  /** Allocations not released. */
  long numActiveAllocations();

  /** Allocations from subpages not released. */
  long numActiveSmallAllocations();

  /** Allocations of runs not released. */
  long numActiveNormalAllocations();

  /** Allocations above the size of a chunk not released. */
  long numActiveHugeAllocations();

  /** Bytes of the arena's chunks, and in the first arena of huge extents, in use or not. */
  long numActiveBytes();

  /** Bytes of slots that callers hold; where that is not known, {@link #numActiveBytes}. */
  default long numPinnedBytes() {
    return numActiveBytes();
  }
}
