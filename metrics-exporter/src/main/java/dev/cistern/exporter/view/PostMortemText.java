/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.LiveSites;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Post-mortems as lines, some of which have a link. */
public final class PostMortemText {
  /**
   * Headers that prevent the page from loading anything, and other sites from showing it in a
   * frame.
   */
  public static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
          "Referrer-Policy",
          "no-referrer");

  private static final int MAX_SITES = 10;

  private final List<Line> lines = new ArrayList<>();

  /**
   * A line.
   *
   * @param link relative target of its link; empty if there is none
   */
  private record Line(String text, String link) {}

  public static PostMortemText list(List<PostMortem> all) {
    PostMortemText text = new PostMortemText();
    text.add(TextFormat.count(all.size(), "post-mortem") + ", the latest first");
    for (PostMortem each : all) {
      text.add("");
      text.link(each.host().id(), each.host().id() + "/");
      text.addHost(each);
    }
    return text;
  }

  public static PostMortemText summary(PostMortem postMortem, HostView state, History history) {
    PostMortemText text = new PostMortemText();
    text.add("Host " + postMortem.host().id());
    text.addHost(postMortem);
    text.add("  last report " + TextFormat.time(state.timeMillis()));
    text.addFindings(state);
    for (CopyView copy : state.copies()) {
      text.add("");
      text.addCopy(copy);
    }
    RunUp.lines(history, postMortem.heartbeatMillis()).forEach(text::add);
    text.add("");
    text.link("verdict", "verdict");
    text.link("memory", "memory");
    text.link("metrics", "metrics");
    text.link("leaks", "leaks");
    text.link("live", "live");
    text.link("heap (for go tool pprof)", "heap");
    text.link("all post-mortems", "../");
    return text;
  }

  /** Adds the findings, except the end of the process, which is already in the lines above. */
  private void addFindings(HostView state) {
    add("");
    add("Verdict of the last report");
    List<Finding> findings =
        Findings.of(state).stream()
            .filter(finding -> finding.kind() != Finding.Kind.PROCESS_DIED)
            .filter(finding -> finding.kind() != Finding.Kind.PROCESS_ENDED)
            .toList();
    if (findings.isEmpty()) {
      add(Findings.isDiagnosed(state) ? "  no problem found" : "  no diagnosis");
    }
    for (Finding finding : findings) {
      add(
          "  "
              + TextFormat.plain(finding.what())
              + " ("
              + finding.confidence().label()
              + " confidence)");
      add("    " + TextFormat.plain(String.join("; ", finding.evidence())));
    }
    long resident = state.row().get(MemoryFigures.RESIDENT_BYTES);
    if (resident != Figure.ABSENT) {
      add("");
      add("Resident memory " + TextFormat.bytes(resident));
      for (Row part : state.row().rows(MemoryFigures.PART)) {
        long bytes = part.orZero(MemoryFigures.PART_BYTES);
        if (bytes > 0) {
          add("  " + MemoryText.title(part.labels().get(0)) + " " + TextFormat.bytes(bytes));
        }
      }
    }
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
            + each.state().words()
            + named(", application ", host.application())
            + named(", pod ", host.pod())
            + named(", container ", host.container())
            + ", process "
            + host.pid()
            + named(", Cistern ", host.version()));
    add(
        "  started "
            + TextFormat.time(host.startMillis())
            + ", last alive "
            + TextFormat.time(each.heartbeatMillis())
            + ", found "
            + TextFormat.time(each.foundMillis()));
  }

  private static String named(String before, String name) {
    return name.isEmpty() ? "" : before + TextFormat.plain(name);
  }

  private void addCopy(CopyView copy) {
    add(ReportHeader.of(copy));
    copy.pools().forEach(pool -> add("  " + pool.labels().get(0) + ": " + memory(pool)));
    addLeaks(copy);
    addLive(copy);
    HoldersText.summary(copy).lines().forEach(line -> add(line.isEmpty() ? "" : "  " + line));
  }

  private static String memory(Row pool) {
    return Stream.<Figure<?>>of(
            PoolFigures.RESERVED_BYTES,
            PoolFigures.PINNED_BYTES,
            PoolFigures.CACHED_BYTES,
            PoolFigures.FREE_BYTES,
            PoolFigures.RESIDENT_BYTES,
            PoolFigures.LIMIT_BYTES)
        .filter(figure -> pool.get(figure) != Figure.ABSENT)
        .map(figure -> figure.key().replace("_bytes", " ") + TextFormat.bytes(pool.get(figure)))
        .collect(Collectors.joining(", "));
  }

  private void addLeaks(CopyView copy) {
    List<LeakEntry> largest = LeaksText.entries(copy.leaks(), ReportOptions.FULL);
    for (LeakEntry entry : largest.subList(0, Math.min(MAX_SITES, largest.size()))) {
      add(
          "  leaked "
              + entry.memory()
              + " "
              + TextFormat.bytes(entry.bytes())
              + " ("
              + TextFormat.count(entry.found())
              + " found) at "
              + TextFormat.plain(entry.site()));
    }
    addRest(largest.size(), "stack that leaked", "stacks that leaked");
  }

  private void addLive(CopyView copy) {
    List<LiveSite> sites = LiveSites.of(copy.live());
    for (LiveSite site : sites.subList(0, Math.min(MAX_SITES, sites.size()))) {
      add(
          "  live "
              + site.memory()
              + " "
              + TextFormat.bytes(site.live().bytes())
              + (site.trend().isSuspect() ? ", growing," : "")
              + " at "
              + TextFormat.plain(site.site()));
    }
    addRest(sites.size(), "site", "sites");
  }

  private void addRest(int all, String one, String many) {
    int rest = all - MAX_SITES;
    if (rest > 0) {
      add("  ... and " + rest + " more " + (rest == 1 ? one : many));
    }
  }

  /** Returns the text for a terminal, with the targets of links. */
  public String plain() {
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

  public String html(String title) {
    StringBuilder html = new StringBuilder(256);
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width\">\n");
    html.append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html.append(TextFormat.html(title)).append("</title>\n</head>\n<body>\n<pre>");
    for (Line line : lines) {
      String text = TextFormat.html(line.text());
      html.append(
          line.link().isEmpty()
              ? text
              : "<a href=\"" + TextFormat.html(line.link()) + "\">" + text + "</a>");
      html.append('\n');
    }
    return html.append("</pre>\n</body>\n</html>\n").toString();
  }
}
