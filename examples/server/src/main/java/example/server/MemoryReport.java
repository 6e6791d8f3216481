/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.BufferDiagnostics;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.leak.LeakReport;
import dev.cistern.leak.StackDetail;
import dev.cistern.stats.PoolSnapshot;

/** What the pool says of itself, in a line. */
final class MemoryReport {
  private MemoryReport() {}

  static String line(int connections) {
    long pinned = 0;
    long reserved = 0;
    for (PoolSnapshot pool : BufferDiagnostics.pools(PooledByteBufAllocator.DEFAULT)) {
      pinned += pool.pinnedBytes();
      reserved += pool.reservedBytes();
    }
    LeakReport leaks = BufferDiagnostics.leaks(StackDetail.SITE);
    return "memory connections="
        + connections
        + " pinned="
        + pinned
        + " reserved="
        + reserved
        + " leaks="
        + (leaks.entries().size() + leaks.dropped())
        + " heap="
        + (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
  }
}
