/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.BufferDiagnostics;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.buffer.PooledByteBufAllocatorMetric;

/** A report of the pool's memory, in one line. */
final class MemoryReport {
  private MemoryReport() {}

  static String line(int connections) {
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    PooledByteBufAllocatorMetric metric = allocator.metric();
    return "memory connections="
        + connections
        + " pinned="
        + (allocator.pinnedDirectMemory() + allocator.pinnedHeapMemory())
        + " reserved="
        + (metric.usedDirectMemory() + metric.usedHeapMemory())
        + " leaks="
        + BufferDiagnostics.leakedBuffers()
        + " heap="
        + (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
  }
}
