/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.LinkedHashMap;
import java.util.Map;

/** The metrics of Netty's allocator, which an application's own metrics read as well. */
final class MemoryReport {
  private MemoryReport() {}

  static String json(ByteBufAllocator alloc) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("allocator", alloc.getClass().getName());
    report.put("netty", Server.nettyVersion());
    report.put("platform_used_direct_bytes", PlatformDependent.usedDirectMemory());
    report.put("platform_max_direct_bytes", PlatformDependent.maxDirectMemory());
    if (alloc instanceof ByteBufAllocatorMetricProvider provider) {
      report.put("used_direct_bytes", provider.metric().usedDirectMemory());
      report.put("used_heap_bytes", provider.metric().usedHeapMemory());
    }
    if (alloc instanceof PooledByteBufAllocator pooled) {
      report.put("pinned_direct_bytes", pooled.pinnedDirectMemory());
      report.put("pinned_heap_bytes", pooled.pinnedHeapMemory());
      report.put("direct_arenas", pooled.metric().numDirectArenas());
      report.put("heap_arenas", pooled.metric().numHeapArenas());
      report.put("thread_caches", pooled.metric().numThreadLocalCaches());
      report.put("chunk_bytes", pooled.metric().chunkSize());
    }
    return json(report);
  }

  private static String json(Map<String, Object> report) {
    StringBuilder json = new StringBuilder("{");
    report.forEach(
        (name, value) -> {
          json.append(json.length() == 1 ? "\"" : ", \"").append(name).append("\": ");
          // Class names and versions contain no characters that JSON must escape.
          json.append(value instanceof Number ? value : "\"" + value + "\"");
        });
    return json.append("}\n").toString();
  }
}
