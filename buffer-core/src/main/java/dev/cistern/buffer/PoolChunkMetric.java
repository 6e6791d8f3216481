/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** A chunk at one moment. */
public interface PoolChunkMetric {
  /**
   * Pages in use, in percent, rounded down: 0 only if none is, 100 only if all are. Netty 4.1
   * rounds the free ones down, so that it may show one more.
   */
  int usage();

  /** Size in bytes. */
  int chunkSize();

  /** Returns the bytes of free pages. */
  int freeBytes();
}
