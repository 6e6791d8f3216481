/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** A chunk at one moment. */
public interface PoolChunkMetric {
  /**
   * Returns the percentage of pages in use, rounded down, but 1 or more if any page is in use.
   * Netty 4.1 rounds the percentage of free pages down, so its result can be larger by one.
   */
  int usage();

  /** Returns the size of the chunk in bytes. */
  int chunkSize();

  /** Returns the bytes of free pages. */
  int freeBytes();
}
