/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.LeakEntry;
import dev.cistern.leak.LiveEstimate;
import dev.cistern.leak.SiteTrend;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.Map;

/** {@code /}: each pool at a glance, and where to look further. Shows no stack. */
final class LandingPage implements Page {
  /** Nothing is loaded from anywhere, and nobody may frame the page. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
          "Referrer-Policy",
          "no-referrer");

  private final StatsSource source;

  LandingPage(StatsSource source) {
    this.source = source;
  }

  @Override
  public Answer answer(Request request) {
    return Answer.ok("text/html; charset=utf-8", html(source.report())).with(HEADERS);
  }

  static String html(HostReport report) {
    String title = report.application().isEmpty() ? "Cistern" : "Cistern: " + report.application();
    StringBuilder html = new StringBuilder(PageStyle.start(title));
    html.append("<header><h1>").append(Text.html(title)).append("</h1><p>version ");
    html.append(Text.html(report.host().version())).append(", started ");
    html.append(Text.time(report.host().startMillis())).append("</p></header>\n<main>\n");
    if (report.copies().isEmpty()) {
      html.append("<p>No pool yet: no copy of Netty has allocated a buffer.</p>\n");
    }
    report.copies().forEach(copy -> appendCopy(html, copy));
    html.append(PageStyle.LINKS).append("</main>\n</body>\n</html>\n");
    return html.toString();
  }

  private static void appendCopy(StringBuilder html, CopyReport copy) {
    html.append("<section>\n<h2>").append(Text.html(copy.pool()));
    html.append(" <small>").append(Text.html(copy.version())).append("</small> ");
    html.append("<span class=\"mode\">").append(Text.html(copy.mode())).append("</span></h2>\n");
    if (!copy.reason().isEmpty()) {
      html.append("<p class=\"note\">").append(Text.html(copy.reason())).append("</p>\n");
    }
    copy.pools().forEach(pool -> appendPool(html, pool));
    NettySection.append(html, copy.netty());
    html.append("<dl>\n");
    if (!copy.mode().equals(CopyReport.LIBRARY)) {
      appendFact(html, "served by Cistern", Text.count(copy.served()) + " allocations");
      appendFact(html, "left to Netty", Text.count(copy.fellBack()) + " allocations");
    }
    if (Headline.hasDiagnostics(copy)) {
      appendDiagnostics(html, copy);
    }
    html.append("</dl>\n</section>\n");
  }

  private static void appendDiagnostics(StringBuilder html, CopyReport copy) {
    appendFact(html, "sampled buffers in use", Text.count(copy.leaks().watched()));
    for (String memory : LiveSites.memories(copy)) {
      LiveEstimate total = copy.live().total(memory);
      String bytes = Text.bytes(total.bytes()) + " <small>± " + Text.bytes(total.bytesError());
      appendFact(html, "live " + Text.html(memory) + ", estimated", bytes + "</small>");
    }
    appendFact(html, "suspect sites", suspects(copy));
    appendFact(html, "leaks", leaks(copy));
  }

  private static void appendPool(StringBuilder html, PoolSnapshot pool) {
    html.append("<h3>").append(Text.html(pool.memory())).append(" memory</h3>\n");
    appendBar(html, pool.pinnedBytes(), pool.cachedBytes(), pool.freeBytes());
    html.append("<dl>\n");
    appendFact(html, "reserved", reserved(pool));
    appendFact(html, "<i class=\"pinned\"></i>pinned", Text.bytes(pool.pinnedBytes()));
    appendFact(html, "<i class=\"cached\"></i>cached", Text.bytes(pool.cachedBytes()));
    appendFact(html, "<i class=\"free\"></i>free", Text.bytes(pool.freeBytes()));
    appendFact(
        html, "cache hits", Text.percent(pool.threadCacheHits(), pool.threadCacheRequests()));
    appendFact(html, "thread caches", Text.count(pool.threadCaches()));
    appendFact(html, "arenas", Text.count(pool.arenas()));
    appendFact(html, "allocations", Text.count(allocations(pool)));
    html.append("</dl>\n");
  }

  private static String reserved(PoolSnapshot pool) {
    String reserved = Text.bytes(pool.reservedBytes());
    return pool.limitBytes() == Long.MAX_VALUE
        ? reserved
        : reserved + " <small>of " + Text.bytes(pool.limitBytes()) + "</small>";
  }

  private static long allocations(PoolSnapshot pool) {
    long allocations = 0;
    for (SizeGroup group : SizeGroup.values()) {
      allocations += pool.allocations(group);
    }
    return allocations;
  }

  /** The reserved memory as one bar: pinned, cached, and free as its ground. */
  static void appendBar(StringBuilder html, long pinnedBytes, long cachedBytes, long freeBytes) {
    long whole = Math.max(1, pinnedBytes + cachedBytes + freeBytes);
    double pinned = 100.0 * pinnedBytes / whole;
    double cached = 100.0 * cachedBytes / whole;
    html.append("<svg role=\"img\" aria-label=\"");
    html.append(Text.percent(pinnedBytes, whole)).append(" pinned, ");
    html.append(Text.percent(cachedBytes, whole)).append(" cached\">");
    html.append("<rect class=\"free\" width=\"100%\" height=\"100%\"/>");
    appendRect(html, "pinned", 0, pinned);
    appendRect(html, "cached", pinned, cached);
    html.append("</svg>\n");
  }

  private static void appendRect(StringBuilder html, String kind, double x, double width) {
    html.append("<rect class=\"").append(kind).append("\" x=\"").append(x).append("%\" width=\"");
    html.append(width).append("%\" height=\"100%\"/>");
  }

  private static String suspects(CopyReport copy) {
    long suspects = copy.live().trends().stream().filter(SiteTrend::isSuspect).count();
    return suspects == 0
        ? "none"
        : "<a class=\"leak\" href=\"live\">" + Text.count(suspects) + " growing</a>";
  }

  private static String leaks(CopyReport copy) {
    long found = copy.leaks().dropped();
    long bytes = copy.leaks().droppedBytes();
    for (LeakEntry entry : copy.leaks().entries()) {
      found += entry.found();
      bytes += entry.bytes();
    }
    return found == 0
        ? "none found"
        : "<a class=\"leak\" href=\"leaks\">"
            + Text.count(found)
            + " found, "
            + Text.bytes(bytes)
            + "</a>";
  }

  /**
   * @param term HTML
   * @param fact HTML
   */
  static void appendFact(StringBuilder html, String term, String fact) {
    html.append("<div><dt>").append(term).append("</dt><dd>").append(fact).append("</dd></div>\n");
  }
}
