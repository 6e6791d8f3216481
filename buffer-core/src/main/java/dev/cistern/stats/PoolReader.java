/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * A reader of the statistics of one pool. The arena metrics of an allocator implement it, because
 * the exporter needs more than their public interface provides.
 */
public interface PoolReader {
  /** Returns a snapshot of the pool's statistics. */
  PoolSnapshot snapshot();

  /** Returns the usage of the pool's chunks. */
  ChunkMap chunkMap();
}
