/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The parts of the resident memory as text for a terminal. */
public final class MemoryText {
  private static final int BAR = 40;
  private static final int MAX_NEEDS = 10;
  private static final long TEN_MINUTES = 600_000;

  private final StringBuilder text = new StringBuilder();
  private final HostView host;

  private MemoryText(HostView host) {
    this.host = host;
  }

  /** Writes the parts. */
  public static void write(HostView host, ReportOptions options, OutputStream out)
      throws IOException {
    out.write(of(host).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the parts. */
  public static String of(HostView host) {
    MemoryText memory = new MemoryText(host);
    memory.text.append(ReportHeader.of("Memory", host)).append('\n');
    memory.appendParts();
    memory.appendLimits();
    memory.appendCollectable();
    memory.appendNeeds();
    memory.appendLargest();
    memory.appendAdvice();
    return memory.text.toString();
  }

  private void appendParts() {
    Row row = host.row();
    long resident = row.get(MemoryFigures.RESIDENT_BYTES);
    List<Row> parts = row.rows(MemoryFigures.PART);
    if (resident == Figure.ABSENT) {
      text.append("\nThe resident memory of this process is not known.\n");
      return;
    }
    text.append("\nResident: ").append(TextFormat.bytes(resident));
    text.append(", measured ").append(TextFormat.time(row.orZero(MemoryFigures.MEASURED_TIME)));
    String basis = row.get(MemoryFigures.BASIS);
    text.append(
        basis.isEmpty() ? "\n" : ", JVM's own parts from " + TextFormat.plain(basis) + '\n');
    for (Row part : parts) {
      long bytes = part.orZero(MemoryFigures.PART_BYTES);
      if (bytes != 0) {
        appendPart(part.labels().get(0), bytes, resident);
      }
    }
  }

  private void appendPart(String label, long bytes, long resident) {
    double share = resident <= 0 ? 0 : (double) bytes / resident;
    int length = (int) Math.max(0, Math.min(BAR, Math.round(BAR * share)));
    text.append(
        String.format(
            Locale.ROOT,
            "  %-43s %11s %6.1f %%  %s%n",
            title(label),
            bytes < 0 ? TextFormat.change(bytes) : TextFormat.bytes(bytes),
            100 * share,
            "#".repeat(length)));
  }

  /** Returns the title of a part. For a part that this version does not know, returns the label. */
  static String title(String label) {
    for (Part part : Part.values()) {
      if (part.label().equals(label)) {
        return part.title();
      }
    }
    return TextFormat.plain(label);
  }

  private void appendLimits() {
    List<Row> limits = host.row().rows(MemoryFigures.LIMIT);
    if (limits.isEmpty()) {
      return;
    }
    text.append("\nLimits\n");
    for (Row limit : limits) {
      long used = limit.orZero(MemoryFigures.LIMIT_USED_BYTES);
      long bytes = limit.orZero(MemoryFigures.LIMIT_BYTES);
      text.append(
          String.format(
              Locale.ROOT,
              "  %-24s %11s of %11s used, %.1f %%%n",
              limitName(limit.labels().get(0)),
              TextFormat.bytes(used),
              TextFormat.bytes(bytes),
              bytes <= 0 ? 0 : 100.0 * used / bytes));
    }
  }

  private static String limitName(String label) {
    return switch (label) {
      case "direct" -> "direct buffers of the JVM";
      case "container" -> "container";
      default -> "direct, " + TextFormat.plain(label);
    };
  }

  private void appendCollectable() {
    Row row = host.row();
    long bytes = row.get(MemoryFigures.COLLECTABLE_BYTES);
    if (bytes == Figure.ABSENT) {
      return;
    }
    text.append("\nDirect buffers outside of pools: ").append(TextFormat.bytes(bytes));
    if (row.get(MemoryFigures.COLLECTION_AGE) != Figure.ABSENT) {
      text.append("; the last collection, ")
          .append(TextFormat.duration(row.get(MemoryFigures.COLLECTION_AGE)))
          .append(" ago, freed ")
          .append(TextFormat.bytes(row.orZero(MemoryFigures.COLLECTED_BYTES)));
    }
    text.append('\n');
  }

  private void appendNeeds() {
    List<Row> needs =
        host.row().rows(MemoryFigures.NEED).stream()
            .filter(need -> need.orZero(MemoryFigures.DEBT_BYTES) > 0)
            .sorted(
                (one, other) ->
                    Long.compare(
                        other.orZero(MemoryFigures.DEBT_BYTES),
                        one.orZero(MemoryFigures.DEBT_BYTES)))
            .limit(MAX_NEEDS)
            .toList();
    if (needs.isEmpty()) {
      return;
    }
    long watched = Math.min(TEN_MINUTES, Math.max(0, host.row().orZero(MemoryFigures.WATCHED)));
    text.append("\nReserved and not needed in the last ")
        .append(TextFormat.duration(watched))
        .append('\n');
    for (Row need : needs) {
      text.append("  ")
          .append(TextFormat.plain(String.join(", ", need.labels())))
          .append(": ")
          .append(TextFormat.bytes(need.orZero(MemoryFigures.DEBT_BYTES)))
          .append(" of ")
          .append(TextFormat.bytes(need.orZero(MemoryFigures.NEED_RESERVED_BYTES)))
          .append(", resident ")
          .append(TextFormat.bytes(need.orZero(MemoryFigures.RESIDENT_DEBT_BYTES)))
          .append(", for ")
          .append(TextFormat.duration(need.orZero(MemoryFigures.IDLE_TIME)))
          .append('\n');
    }
  }

  private void appendLargest() {
    String span = "";
    for (Row each : host.row().rows(MemoryFigures.LARGEST)) {
      if (!each.labels().get(0).equals(span)) {
        span = each.labels().get(0);
        text.append("\nLargest single allocations ")
            .append(span.equals("hour") ? "of the last hour" : "since start")
            .append('\n');
      }
      text.append("  ")
          .append(TextFormat.bytes(each.orZero(MemoryFigures.LARGEST_BYTES)))
          .append(" of ")
          .append(TextFormat.plain(each.get(MemoryFigures.LARGEST_MEMORY)))
          .append(" memory at ")
          .append(TextFormat.plain(each.get(MemoryFigures.LARGEST_SITE)))
          .append(", ")
          .append(TextFormat.time(each.orZero(MemoryFigures.LARGEST_TIME)))
          .append('\n');
    }
  }

  private void appendAdvice() {
    List<Row> terms = host.row().rows(MemoryFigures.ADVICE);
    if (terms.isEmpty()) {
      return;
    }
    text.append("\nRecommended limits, from the peaks of the last hour\n");
    text.append("  -XX:MaxDirectMemorySize ")
        .append(TextFormat.bytes(term(terms, Diagnosis.AdviceTerm.DIRECT)))
        .append(" = peak ")
        .append(TextFormat.bytes(term(terms, "direct_peak")))
        .append(" + margin ")
        .append(TextFormat.bytes(term(terms, "direct_margin")))
        .append('\n');
    text.append("  container ")
        .append(TextFormat.bytes(term(terms, Diagnosis.AdviceTerm.CONTAINER)))
        .append(" = limit of the Java heap ")
        .append(TextFormat.bytes(term(terms, "java_heap_limit")))
        .append(" + direct memory ")
        .append(TextFormat.bytes(term(terms, "all_direct")))
        .append(" + peak of all other memory ")
        .append(TextFormat.bytes(term(terms, "other_peak")))
        .append(" + margin ")
        .append(TextFormat.bytes(term(terms, "other_margin")))
        .append('\n');
  }

  private static long term(List<Row> terms, String name) {
    return terms.stream()
        .filter(row -> row.labels().get(0).equals(name))
        .mapToLong(row -> row.orZero(MemoryFigures.ADVICE_BYTES))
        .findFirst()
        .orElse(0);
  }
}
