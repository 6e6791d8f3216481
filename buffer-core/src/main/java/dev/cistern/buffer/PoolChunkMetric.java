/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** A chunk at one moment. */
public interface PoolChunkMetric {
  /** Pages in use, in percent: 0 only if none is, 100 only if all are. */
  int usage();

  /** Size in bytes. */
  int chunkSize();

  /** Bytes of free pages. */
  int freeBytes();
}
