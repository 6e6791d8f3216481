/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.leak.LeakEntry;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** {@code /leaks}: every known leak with its stack, as text for a terminal or as JSON. */
final class LeaksPage implements Page {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final List<MediaType> OFFERS =
      List.of(MediaType.parse("text/plain"), MediaType.parse(JSON));
  private static final Comparator<LeakEntry> LARGEST_FIRST =
      Comparator.comparingLong(LeakEntry::bytes).reversed().thenComparing(LeakEntry::site);

  private final StatsSource source;

  LeaksPage(StatsSource source) {
    this.source = source;
  }

  @Override
  public Answer answer(Request request) {
    boolean json =
        request.asks("format=json")
            || (!request.asks("format=text")
                && request.accept().choose(OFFERS).equals(OFFERS.get(1)));
    HostReport report = source.report();
    return json ? Answer.ok(JSON, json(report)) : Answer.ok(TEXT, text(report));
  }

  private static List<LeakEntry> sorted(CopyReport copy) {
    return copy.leaks().entries().stream().sorted(LARGEST_FIRST).toList();
  }

  static String text(HostReport report) {
    StringBuilder text = new StringBuilder("Leaks");
    if (!report.application().isEmpty()) {
      text.append(" in ").append(Text.plain(report.application()));
    }
    text.append(" (Cistern ").append(Text.plain(report.agentVersion())).append(")\n");
    if (report.copies().isEmpty()) {
      text.append("\nNo pool yet.\n");
    }
    report.copies().forEach(copy -> appendCopy(text, copy));
    return text.toString();
  }

  private static void appendCopy(StringBuilder text, CopyReport copy) {
    text.append("\nPool ").append(Text.plain(copy.pool()));
    if (!copy.version().isEmpty()) {
      text.append(' ').append(Text.plain(copy.version()));
    }
    text.append(", mode ").append(copy.mode());
    text.append(": ").append(Text.count(copy.leaks().trackers()));
    text.append(" sampled buffers in use, ");
    List<LeakEntry> entries = sorted(copy);
    text.append(entries.isEmpty() ? "no leak found" : "leaks from these stacks:").append('\n');
    for (int i = 0; i < entries.size(); i++) {
      appendEntry(text, i + 1, entries.get(i));
    }
    if (copy.leaks().dropped() > 0) {
      text.append("\n  The store is full: ").append(Text.count(copy.leaks().dropped()));
      text.append(" leaks of other stacks were only counted.\n");
    }
    if (copy.leaks().untracked() > 0) {
      text.append("\n  Too many buffers in use at a time: ");
      text.append(Text.count(copy.leaks().untracked())).append(" samples were not watched.\n");
    }
  }

  private static void appendEntry(StringBuilder text, int number, LeakEntry entry) {
    text.append("\n  ").append(number).append(". ").append(Text.plain(entry.site())).append('\n');
    text.append("     ").append(Text.count(entry.sampled())).append(" found, an estimated ");
    text.append(Text.count(entry.count())).append(" buffers with ");
    text.append(Text.bytes(entry.bytes())).append(" of ").append(entry.memory());
    text.append(" memory\n     first ").append(Text.time(entry.firstSeenMillis()));
    text.append(", last ").append(Text.time(entry.lastSeenMillis()));
    text.append(", thread \"").append(Text.plain(entry.thread())).append("\"\n");
    entry.stack().forEach(f -> text.append("       at ").append(Text.plain(f)).append('\n'));
    if (entry.cutFrames() > 0) {
      text.append("       ... ").append(Text.count(entry.cutFrames())).append(" more frames\n");
    }
  }

  static String json(HostReport report) {
    JsonStringWriter json =
        JsonWriter.indent("  ")
            .string()
            .object()
            .value("application", report.application())
            .value("version", report.agentVersion())
            .array("pools");
    report.copies().forEach(copy -> writeCopy(json, copy));
    return json.end().end().done() + "\n";
  }

  private static void writeCopy(JsonStringWriter json, CopyReport copy) {
    json.object()
        .value("pool", copy.pool())
        .value("netty_version", copy.version())
        .value("mode", copy.mode())
        .value("watched", copy.leaks().trackers())
        .value("not_watched", copy.leaks().untracked())
        .value("dropped", copy.leaks().dropped())
        .value("dropped_bytes", copy.leaks().droppedBytes())
        .array("leaks");
    for (LeakEntry entry : sorted(copy)) {
      json.object()
          .value("site", entry.site())
          .value("memory", entry.memory())
          .value("found", entry.sampled())
          .value("estimated_buffers", entry.count())
          .value("estimated_bytes", entry.bytes())
          .value("first_seen", Instant.ofEpochMilli(entry.firstSeenMillis()).toString())
          .value("last_seen", Instant.ofEpochMilli(entry.lastSeenMillis()).toString())
          .value("thread", entry.thread())
          .array("stack", entry.stack())
          .value("frames_cut", entry.cutFrames())
          .end();
    }
    json.end().end();
  }
}
