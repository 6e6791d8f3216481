/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.List;
import java.util.stream.Collectors;

/** Netty's own allocators on the landing page, as they tell of themselves. */
final class NettySection {
  /** Parts that are shown; the rest is a line. */
  private static final int MOST = 16;

  private NettySection() {}

  static void append(StringBuilder html, NettyReport report) {
    List<NettyAllocatorReport> alive =
        report.allocators().stream().filter(NettyAllocatorReport::isAlive).toList();
    int shown = Math.min(MOST, alive.size());
    alive.subList(0, shown).forEach(part -> appendPart(html, part));
    if (shown < alive.size()) {
      long bytes =
          alive.subList(shown, alive.size()).stream()
              .mapToLong(NettyAllocatorReport::reservedBytes)
              .sum();
      html.append("<p class=\"note\">and ");
      html.append(Text.count(alive.size() - shown, "more part")).append(" of ");
      html.append(Text.count(report.instances(), "allocator")).append(" with ");
      html.append(Text.bytes(bytes)).append("</p>\n");
    }
  }

  private static void appendPart(StringBuilder html, NettyAllocatorReport part) {
    html.append("<h3>Netty's ").append(Text.html(part.name())).append(", ");
    html.append(Text.html(part.memory())).append(" memory</h3>\n");
    if (part.isPooled()) {
      LandingPage.appendBar(html, part.pinnedBytes(), part.cachedBytes(), part.freePageBytes());
    }
    html.append("<dl>\n");
    LandingPage.appendFact(html, "reserved", Text.bytes(part.reservedBytes()));
    if (part.isPooled()) {
      appendPooled(html, part);
    }
    html.append("</dl>\n");
  }

  private static void appendPooled(StringBuilder html, NettyAllocatorReport part) {
    LandingPage.appendFact(html, "<i class=\"pinned\"></i>pinned", Text.bytes(part.pinnedBytes()));
    LandingPage.appendFact(html, "<i class=\"cached\"></i>cached", Text.bytes(part.cachedBytes()));
    LandingPage.appendFact(html, "<i class=\"free\"></i>free", Text.bytes(part.freePageBytes()));
    LandingPage.appendFact(html, "huge", Text.bytes(part.hugeBytes()));
    LandingPage.appendFact(html, "chunks, qInit to q100", joined(part.chunks()));
    LandingPage.appendFact(html, "arenas", Text.count(part.arenas()));
    LandingPage.appendFact(html, "threads, by arena", joined(part.threadCaches()));
    LandingPage.appendFact(
        html, "not back in arenas", Text.count(part.activeAllocations()) + " allocations");
  }

  private static String joined(List<Long> figures) {
    return figures.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
