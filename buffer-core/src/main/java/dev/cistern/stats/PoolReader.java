/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * Reads the statistics of one pool. The arena metrics of an allocator implement it, because the
 * exporter needs more than their public interface shows.
 */
public interface PoolReader {
  /** Returns the pool's counters. */
  PoolSnapshot snapshot();

  /** Returns how full the pool's chunks are. */
  ChunkMap chunkMap();
}
