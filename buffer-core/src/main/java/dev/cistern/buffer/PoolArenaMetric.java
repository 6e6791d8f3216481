/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.List;

/**
 * Memory of an arena and allocations through it. Each method reports the moment of its call.
 *
 * <p>Where the figures mean something else than Netty 4.1's of the same name: allocations and
 * releases that a thread cache serves count as well (there, only what reaches the arena); a slot
 * that waits in a thread cache is not active (there, it is); huge ones, which belong to no arena
 * here, all show in the first.
 */
public interface PoolArenaMetric extends SizeClassesMetric {
  /** Returns the number of thread caches that draw from the arena. */
  int numThreadCaches();

  /** Returns the number of subpages in the arena's chunks. */
  int numSmallSubpages();

  /** Returns the number of lists of chunks. */
  default int numChunkLists() {
    return chunkLists().size();
  }

  /** Returns the subpages in the arena's chunks. */
  List<PoolSubpageMetric> smallSubpages();

  /** Returns the lists of chunks, from the emptiest band to the full one. */
  List<PoolChunkListMetric> chunkLists();

  /** Returns the number of allocations of every size. */
  default long numAllocations() {
    return numSmallAllocations() + numNormalAllocations() + numHugeAllocations();
  }

  /** Returns the number of allocations that a subpage served. */
  long numSmallAllocations();

  /** Returns the number of allocations that a run of pages served. */
  long numNormalAllocations();

  /** Returns the number of allocations above the size of a chunk. */
  long numHugeAllocations();

  /** Returns the number of releases of every size. */
  default long numDeallocations() {
    return numSmallDeallocations() + numNormalDeallocations() + numHugeDeallocations();
  }

  /** Returns the number of releases of what a subpage served. */
  long numSmallDeallocations();

  /** Returns the number of releases of what a run of pages served. */
  long numNormalDeallocations();

  /** Returns the number of releases of what was above the size of a chunk. */
  long numHugeDeallocations();

  /** Returns the number of allocations not released. */
  default long numActiveAllocations() {
    return Math.max(0, numAllocations() - numDeallocations());
  }

  /** Returns the number of allocations from subpages not released. */
  default long numActiveSmallAllocations() {
    return Math.max(0, numSmallAllocations() - numSmallDeallocations());
  }

  /** Returns the number of allocations of runs not released. */
  default long numActiveNormalAllocations() {
    return Math.max(0, numNormalAllocations() - numNormalDeallocations());
  }

  /** Returns the number of allocations above the size of a chunk not released. */
  default long numActiveHugeAllocations() {
    return Math.max(0, numHugeAllocations() - numHugeDeallocations());
  }

  /**
   * Returns the bytes of the arena's chunks, and in the first arena of huge extents, in use or not.
   */
  long numActiveBytes();

  /** Returns the bytes of slots in use; where that is not known, {@link #numActiveBytes}. */
  default long numPinnedBytes() {
    return numActiveBytes();
  }
}
