/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Post-mortems as lines, some of which lead somewhere. */
final class PostMortemText {
  /** Nothing is loaded from anywhere, and nobody may frame the page. */
  static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
          "Referrer-Policy",
          "no-referrer");

  private static final int MOST_SITES = 10;

  private final List<Line> lines = new ArrayList<>();

  /**
   * A line.
   *
   * @param link where it leads, from where it stands; empty if nowhere
   */
  private record Line(String text, String link) {}

  static PostMortemText list(List<PostMortem> all) {
    PostMortemText text = new PostMortemText();
    text.add(Text.count(all.size(), "post-mortem") + ", the latest first");
    for (PostMortem each : all) {
      text.add("");
      text.link(each.host().id(), each.host().id() + "/");
      text.addHost(each);
    }
    return text;
  }

  static PostMortemText summary(PostMortem postMortem, HostState state) {
    PostMortemText text = new PostMortemText();
    text.add("Host " + postMortem.host().id());
    text.addHost(postMortem);
    text.add("  last told " + Text.time(state.report().timeMillis()));
    for (CopyReport copy : state.report().copies()) {
      text.add("");
      text.addCopy(copy);
    }
    text.add("");
    text.link("metrics", "metrics");
    text.link("leaks", "leaks");
    text.link("live", "live");
    text.link("heap (for go tool pprof)", "heap");
    text.link("all post-mortems", "../");
    return text;
  }

  private void add(String line) {
    lines.add(new Line(line, ""));
  }

  private void link(String name, String target) {
    lines.add(new Line(name, target));
  }

  private void addHost(PostMortem each) {
    HostIdentity host = each.host();
    add(
        "  "
            + HostChoice.words(each.state())
            + named(", application ", host.application())
            + named(", pod ", host.pod())
            + named(", container ", host.container())
            + ", process "
            + host.pid()
            + named(", Cistern ", host.version()));
    add(
        "  started "
            + Text.time(host.startMillis())
            + ", last alive "
            + Text.time(each.heartbeatMillis())
            + ", found "
            + Text.time(each.foundMillis()));
  }

  private static String named(String before, String name) {
    return name.isEmpty() ? "" : before + Text.plain(name);
  }

  private void addCopy(CopyReport copy) {
    add(Headline.of(copy));
    for (PoolSnapshot pool : copy.pools()) {
      add(
          "  "
              + pool.memory()
              + ": reserved "
              + Text.bytes(pool.reservedBytes())
              + ", pinned "
              + Text.bytes(pool.pinnedBytes())
              + ", cached "
              + Text.bytes(pool.cachedBytes())
              + ", free "
              + Text.bytes(pool.freeBytes())
              + (pool.limitBytes() == Long.MAX_VALUE
                  ? ""
                  : ", limit " + Text.bytes(pool.limitBytes())));
    }
    for (NettyAllocatorReport part : copy.netty().allocators()) {
      add(
          "  "
              + part.name()
              + " "
              + part.memory()
              + ": reserved "
              + Text.bytes(part.reservedBytes())
              + ", pinned "
              + Text.bytes(part.pinnedBytes()));
    }
    addLeaks(copy);
    addLive(copy);
  }

  private void addLeaks(CopyReport copy) {
    List<LeakEntry> largest = new ArrayList<>(copy.leaks().entries());
    largest.sort(Comparator.comparingLong(LeakEntry::bytes).reversed());
    for (LeakEntry entry : largest.subList(0, Math.min(MOST_SITES, largest.size()))) {
      add(
          "  leaked "
              + entry.memory()
              + " "
              + Text.bytes(entry.bytes())
              + " ("
              + Text.count(entry.found())
              + " found) at "
              + Text.plain(entry.site()));
    }
    addRest(largest.size(), "stack that leaked", "stacks that leaked");
  }

  private void addLive(CopyReport copy) {
    List<LiveSite> sites = LiveSites.of(copy.live());
    for (LiveSite site : sites.subList(0, Math.min(MOST_SITES, sites.size()))) {
      add(
          "  live "
              + site.memory()
              + " "
              + Text.bytes(site.live().bytes())
              + (site.trend().isSuspect() ? ", growing," : "")
              + " at "
              + Text.plain(site.site()));
    }
    addRest(sites.size(), "site", "sites");
  }

  private void addRest(int all, String one, String many) {
    int rest = all - MOST_SITES;
    if (rest > 0) {
      add("  ... and " + rest + " more " + (rest == 1 ? one : many));
    }
  }

  /** For a terminal; what leads somewhere is named. */
  String plain() {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.text());
      if (!line.link().isEmpty()) {
        text.append("  -> ").append(line.link());
      }
      text.append('\n');
    }
    return text.toString();
  }

  String html(String title) {
    StringBuilder html = new StringBuilder(256);
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
    html.append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html.append(Text.html(title)).append("</title>\n</head>\n<body>\n<pre>");
    for (Line line : lines) {
      String text = Text.html(line.text());
      html.append(
          line.link().isEmpty()
              ? text
              : "<a href=\"" + Text.html(line.link()) + "\">" + text + "</a>");
      html.append('\n');
    }
    return html.append("</pre>\n</body>\n</html>\n").toString();
  }
}
