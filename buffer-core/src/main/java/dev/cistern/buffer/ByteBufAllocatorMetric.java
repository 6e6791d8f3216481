/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** Memory use of an allocator. */
public interface ByteBufAllocatorMetric {
  /** Returns the bytes of heap memory that the allocator holds, in use or not; -1 if unknown. */
  long usedHeapMemory();

  /** Returns the bytes of direct memory that the allocator holds, in use or not; -1 if unknown. */
  long usedDirectMemory();
}
