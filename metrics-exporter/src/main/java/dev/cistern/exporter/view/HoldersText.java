/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import dev.cistern.stats.ChannelReport.StreamQueues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The holders of the live buffers of a copy, as text for a terminal: holders, slices and outbound
 * queues. A section without entries is left out.
 */
final class HoldersText {
  /** Number of entries of a section of a summary. */
  private static final int SUMMARY = 3;

  private final StringBuilder text;
  private final String indent;
  private final String of;
  private final int limit;
  private final long nowMillis;
  private final List<HeldSite> held;
  private final List<PinnedSite> pinned;
  private final ChannelReport channels;
  private final ShortNames names;

  private HoldersText(
      StringBuilder text,
      String indent,
      String of,
      int limit,
      CopyView copy,
      ReportOptions options,
      ChannelReport channels) {
    this.text = text;
    this.indent = indent;
    this.of = of;
    this.limit = limit;
    this.nowMillis = copy.live().timeMillis();
    this.held = options.held(copy);
    this.pinned = options.pinned(copy);
    this.channels = channels;
    this.names =
        new ShortNames(
            Stream.concat(
                    held.stream().filter(each -> each.place() != Place.HINT).map(HeldSite::holder),
                    pinned.stream().map(PinnedSite::holder))
                .toList());
  }

  /** Appends all entries below the sites of a copy, with the addresses of peers if known. */
  static void append(StringBuilder text, CopyView copy, ReportOptions options) {
    new HoldersText(text, "  ", "", Integer.MAX_VALUE, copy, options, copy.channelsWithPeers())
        .appendAll();
  }

  /** Returns a summary: the first entries of each section, with masked addresses. */
  static String summary(CopyView copy) {
    StringBuilder text = new StringBuilder();
    String of = ", " + TextFormat.plain(copy.pool());
    new HoldersText(text, "", of, SUMMARY, copy, ReportOptions.FULL, copy.channels()).appendAll();
    return text.toString();
  }

  private void appendAll() {
    appendHeld();
    section("Pinned by slices" + of, pinned, this::text);
    appendQueues();
  }

  /** Appends the holders by site: several holders of a site are listed below it. */
  private void appendHeld() {
    Map<List<String>, List<HeldSite>> sites = new LinkedHashMap<>();
    for (HeldSite each : held.subList(0, Math.min(limit, held.size()))) {
      sites
          .computeIfAbsent(List.of(each.memory(), each.site()), unused -> new ArrayList<>())
          .add(each);
    }
    if (held.isEmpty()) {
      return;
    }
    title("Held by" + of);
    for (List<HeldSite> holders : sites.values()) {
      HeldSite first = holders.get(0);
      if (holders.size() == 1) {
        line("", TextFormat.bytes(first.bytes()) + allocated(first.site()) + holder(first));
        continue;
      }
      double sum = holders.stream().mapToDouble(HeldSite::bytes).sum();
      line("", TextFormat.bytes(sum) + allocated(first.site()));
      holders.forEach(each -> line("  ", TextFormat.bytes(each.bytes()) + holder(each)));
    }
    rest(held.size());
  }

  private static String allocated(String site) {
    return " allocated by " + ReportText.site(site);
  }

  private String holder(HeldSite each) {
    String label = each.place().label();
    String holder =
        each.place() == Place.NONE
            ? ", " + label
            : ", held by " + (each.holder().isEmpty() ? label : name(each) + " (" + label + ")");
    String lost =
        each.lostBytes() > 0
            ? ", " + TextFormat.bytes(each.lostBytes()) + " garbage collected and never released"
            : "";
    return holder
        + ", "
        + TextFormat.count(Math.round(each.buffers()), "buffer")
        + " of "
        + TextFormat.plain(each.memory())
        + " memory, oldest "
        + age(each.oldestMillis())
        + lost;
  }

  /** Returns the name of a holder. A hint of the application is not a class. */
  private String name(HeldSite each) {
    return TextFormat.plain(each.place() == Place.HINT ? each.holder() : names.of(each.holder()));
  }

  private String text(PinnedSite each) {
    double slice = each.slices() > 0 ? each.coveredBytes() / each.slices() : 0;
    return TextFormat.count(Math.round(each.slices()), "slice")
        + " of "
        + TextFormat.bytes(slice)
        + " hold "
        + TextFormat.bytes(each.bytes())
        + " of "
        + TextFormat.plain(each.memory())
        + " memory:"
        + allocated(each.site())
        + (each.holder().isEmpty()
            ? ""
            : ", last passed to " + TextFormat.plain(names.of(each.holder())))
        + ", oldest "
        + age(each.oldestMillis())
        + (each.isCertain() ? "" : "; code may hold the buffers too");
  }

  private void appendQueues() {
    section("Outbound queues" + of + sums(), channels.largest(), HoldersText::text);
    List<Shape> shapes = channels.shapes();
    shapes.subList(0, Math.min(limit, shapes.size())).forEach(each -> line("", text(each)));
  }

  private String sums() {
    ChannelReport.Streams streams = channels.streams();
    String ofHttp2 =
        streams.connections() == 0
            ? ""
            : "; HTTP/2: "
                + TextFormat.count(streams.active(), "stream")
                + ", "
                + TextFormat.bytes(streams.pendingBytes())
                + " wait for flow control"
                + unread(streams);
    return " ("
        + TextFormat.bytes(channels.pendingBytes())
        + " in "
        + TextFormat.count(channels.channels(), "channel")
        + ", "
        + TextFormat.count(channels.unwritable())
        + " not writable"
        + ofHttp2
        + ")";
  }

  private static String unread(ChannelReport.Streams streams) {
    return streams.unreadBytes() == ChannelReport.Streams.UNKNOWN
        ? ""
        : ", " + TextFormat.bytes(streams.unreadBytes()) + " received and not consumed";
  }

  private static String text(Queue each) {
    return TextFormat.plain(each.id())
        + (each.remoteAddress().isEmpty() ? "" : " to " + TextFormat.plain(each.remoteAddress()))
        + ": "
        + TextFormat.bytes(each.pendingBytes())
        + ", oldest up to "
        + TextFormat.duration(each.oldestMillis())
        + (each.unwritableMillis() > 0
            ? ", not writable for " + TextFormat.duration(each.unwritableMillis())
            : "")
        + text(each.streams())
        + handlers(each.handlers());
  }

  private static String text(StreamQueues streams) {
    if (streams.active() == 0) {
      return "";
    }
    String largest =
        streams.largest() == 0
            ? ""
            : " (most in stream "
                + streams.largest()
                + ": "
                + TextFormat.bytes(streams.largestBytes())
                + ")";
    return ", "
        + TextFormat.count(streams.active(), "stream")
        + " with "
        + TextFormat.bytes(streams.pendingBytes())
        + largest;
  }

  private static String text(Shape each) {
    return TextFormat.count(each.channels(), "channel")
        + " together: "
        + TextFormat.bytes(each.pendingBytes())
        + ", largest "
        + TextFormat.bytes(each.largestBytes())
        + handlers(each.handlers());
  }

  private static String handlers(String handlers) {
    return handlers.isEmpty() ? "" : ", handlers " + TextFormat.plain(handlers);
  }

  private <T> void section(String title, List<T> entries, Function<T, String> line) {
    if (!entries.isEmpty()) {
      title(title);
      entries
          .subList(0, Math.min(limit, entries.size()))
          .forEach(each -> line("", line.apply(each)));
      rest(entries.size());
    }
  }

  private void title(String title) {
    text.append('\n').append(indent).append(title).append(":\n");
  }

  private void line(String more, String line) {
    text.append(indent).append("   ").append(more).append(line).append('\n');
  }

  private void rest(int entries) {
    if (entries > limit) {
      line("", "... and " + (entries - limit) + " more");
    }
  }

  private String age(long sinceMillis) {
    return TextFormat.duration(nowMillis - sinceMillis);
  }
}
