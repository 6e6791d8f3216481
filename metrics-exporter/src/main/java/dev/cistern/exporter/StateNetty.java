/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import java.util.List;

/** Netty's own allocators in {@code /state}, where a copy is observed. */
final class StateNetty {
  /** Parts that are told; the rest is summed up. */
  private static final int MOST = 16;

  private StateNetty() {}

  static void write(JsonStringWriter json, NettyReport report) {
    List<NettyAllocatorReport> alive =
        report.allocators().stream().filter(NettyAllocatorReport::isAlive).toList();
    int shown = Math.min(MOST, alive.size());
    List<NettyAllocatorReport> rest = alive.subList(shown, alive.size());
    json.object("netty")
        .value("instances", report.instances())
        .value("not_listed", rest.size())
        .value(
            "not_listed_bytes", rest.stream().mapToLong(NettyAllocatorReport::reservedBytes).sum())
        .array("allocators");
    alive.subList(0, shown).forEach(part -> writePart(json, part));
    json.end().end();
  }

  private static void writePart(JsonStringWriter json, NettyAllocatorReport part) {
    json.object()
        .value("name", part.name())
        .value("memory", part.memory())
        .value("pooled", part.isPooled())
        .value("reserved_bytes", part.reservedBytes());
    if (part.isPooled()) {
      json.value("pinned_bytes", part.pinnedBytes())
          .value("cached_bytes", part.cachedBytes())
          .value("free_bytes", part.freePageBytes())
          .value("huge_bytes", part.hugeBytes())
          .value("active_allocations", part.activeAllocations())
          .value("arenas", part.arenas())
          .array("bands", part.chunks())
          .array("thread_caches", part.threadCaches());
    }
    json.end();
  }
}
