/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** What an allocator holds (seed row F4). */
public interface ByteBufAllocatorMetric {
  /** Bytes of heap memory that the allocator has taken, in use or not; -1 if unknown. */
  long usedHeapMemory();

  /** Bytes of direct memory that the allocator has taken, in use or not; -1 if unknown. */
  long usedDirectMemory();
}
