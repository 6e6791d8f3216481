/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.List;

/** What an arena holds, and what was allocated through it (seed rows F1, F2). */
public interface PoolArenaMetric {
  /** Thread caches that draw from the arena. */
  int numThreadCaches();

  /** Subpages in the arena's chunks. */
  int numSmallSubpages();

  /** Lists of chunks. */
  int numChunkLists();

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

  /** Bytes reserved, in use or not. */
  long numActiveBytes();

  /** Bytes of slots that callers hold. */
  long numPinnedBytes();
}
