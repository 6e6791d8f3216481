/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.List;

/**
 * Metrics of an arena: its memory and the allocations from it. Each method returns the value at the
 * moment of its call.
 *
 * <p>Some metrics differ from those of the same name in Netty 4.1. Allocations and releases count
 * even if a thread cache serves them; in Netty, only those that reach the arena count. A free slot
 * in a thread cache is not active; in Netty, it is. Huge allocations belong to no arena, and all of
 * them count for the first one.
 */
public interface PoolArenaMetric extends SizeClassesMetric {
  /** Returns the number of thread caches that allocate from the arena. */
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
  long numAllocations();

  /** Returns the number of allocations that a subpage served. */
  long numSmallAllocations();

  /** Returns the number of allocations that a run of pages served. */
  long numNormalAllocations();

  /** Returns the number of allocations above the size of a chunk. */
  long numHugeAllocations();

  /** Returns the number of releases of every size. */
  long numDeallocations();

  /** Returns the number of releases of allocations from subpages. */
  long numSmallDeallocations();

  /** Returns the number of releases of allocations from runs of pages. */
  long numNormalDeallocations();

  /** Returns the number of releases of allocations above the size of a chunk. */
  long numHugeDeallocations();

  /** Returns the number of allocations not released. */
  long numActiveAllocations();

  /** Returns the number of allocations from subpages not released. */
  long numActiveSmallAllocations();

  /** Returns the number of allocations of runs not released. */
  long numActiveNormalAllocations();

  /** Returns the number of allocations above the size of a chunk not released. */
  long numActiveHugeAllocations();

  /**
   * Returns the bytes of the arena's chunks, in use or not; for the first arena, plus those of huge
   * extents.
   */
  long numActiveBytes();

  /** Returns the bytes of slots in use, or {@link #numActiveBytes} if they are unknown. */
  default long numPinnedBytes() {
    return numActiveBytes();
  }
}
