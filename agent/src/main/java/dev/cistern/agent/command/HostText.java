/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.stats.AllocatorInfo;
import java.util.Locale;

/** The report of a host as text for a terminal. */
final class HostText {
  private final StringBuilder text = new StringBuilder();
  private final HostView report;

  private HostText(HostView report) {
    this.report = report;
  }

  /** Returns a line with the mode of each copy. */
  static String modes(HostView report) {
    HostText text = new HostText(report);
    report.copies().forEach(text::appendMode);
    return text.toString();
  }

  /** Returns which copies and allocators are served, and why the remaining ones are not. */
  static String why(HostView report) {
    HostText text = new HostText(report);
    text.text.append("Cistern ").append(TextFormat.plain(report.version()));
    if (!report.application().isEmpty()) {
      text.text.append(" in ").append(TextFormat.plain(report.application()));
    }
    text.text
        .append(", report of ")
        .append(age(report.timeMillis(), System.currentTimeMillis()))
        .append(" ago, failures of the agent: ")
        .append(count(report.row(), HostFigures.AGENT_FAILURES))
        .append(", refused commands: ")
        .append(count(report.row(), HostFigures.CONTROL_REFUSALS))
        .append('\n');
    report.copies().forEach(text::appendCopy);
    return text.toString();
  }

  private void appendCopy(CopyView copy) {
    text.append('\n');
    appendMode(copy);
    line("served", isServed(copy));
    line(
        "allocations",
        count(copy.row(), CopyFigures.SERVED)
            + " served, "
            + count(copy.row(), CopyFigures.FALLBACKS)
            + " fallbacks to Netty (memory was short), "
            + count(copy.row(), CopyFigures.FAILURES)
            + " failures");
    for (Row pool : copy.pools()) {
      String memory = memory(pool, PoolFigures.RESERVED_BYTES, PoolFigures.PINNED_BYTES);
      line(pool.labels().get(0) + " pool", memory + limit(pool));
    }
    appendAllocators(copy);
    line("leaks", TextFormat.count(copy.leaks().found()));
    long suspects = copy.live().trends().stream().filter(trend -> trend.isSuspect()).count();
    line("suspects", TextFormat.count(suspects));
  }

  private void appendMode(CopyView copy) {
    text.append(TextFormat.plain(copy.pool()));
    if (!copy.version().isEmpty()) {
      text.append(' ').append(TextFormat.plain(copy.version()));
    }
    text.append(": ").append(TextFormat.plain(copy.mode()));
    ModeChange change = copy.modeChange();
    if (change.timeMillis() > 0) {
      text.append(" since ").append(age(change.timeMillis(), report.timeMillis()));
      text.append(" (").append(TextFormat.plain(change.source())).append(')');
    }
    if (!copy.reason().isEmpty()) {
      text.append("; ").append(TextFormat.plain(copy.reason()));
    }
    text.append('\n');
  }

  private static String isServed(CopyView copy) {
    return switch (copy.mode()) {
      case "swap" -> "yes, by Cistern's pool";
      case "observe" -> "no, Netty's own allocator is observed";
      case "off" -> "no, Netty's own allocator is not observed";
      default -> "by a pool of the library";
    };
  }

  /** Appends what is known of each allocator of a copy. */
  private void appendAllocators(CopyView copy) {
    for (Row allocator : copy.row().rows(CopyFigures.NETTY_ALLOCATOR)) {
      String memory =
          memory(allocator, CopyFigures.NETTY_RESERVED_BYTES, CopyFigures.NETTY_PINNED_BYTES);
      line(allocator.labels().get(1), "Netty's own, " + allocator.labels().get(0) + ", " + memory);
    }
    for (Row row : copy.row().rows(CopyFigures.ALLOCATOR)) {
      AllocatorInfo each = CopyFigures.allocator(row);
      String since = "for " + age(each.sinceMillis(), report.timeMillis());
      line("allocator", each.describe(since));
    }
  }

  private static String count(Row row, Figure<?> figure) {
    return TextFormat.count(row.orZero(figure));
  }

  private static String memory(Row row, Figure<?> reserved, Figure<?> pinned) {
    return "reserved "
        + TextFormat.bytes(row.orZero(reserved))
        + ", pinned "
        + TextFormat.bytes(row.orZero(pinned));
  }

  private static String limit(Row pool) {
    String way = pool.get(PoolFigures.WAY);
    return (pool.get(PoolFigures.LIMIT_BYTES) == Figure.ABSENT
            ? ", no limit"
            : ", used "
                + TextFormat.bytes(pool.orZero(PoolFigures.LIMIT_USED_BYTES))
                + " of the limit "
                + TextFormat.bytes(pool.orZero(PoolFigures.LIMIT_BYTES)))
        + (way.isEmpty() ? "" : ", " + way);
  }

  private void line(String label, String value) {
    text.append(
        String.format(
            Locale.ROOT, "  %-12s %s%n", TextFormat.plain(label), TextFormat.plain(value)));
  }

  private static String age(long sinceMillis, long nowMillis) {
    return TextFormat.duration(nowMillis - sinceMillis);
  }

  @Override
  public String toString() {
    return text.isEmpty() ? "no copy of Netty has been found yet\n" : text.toString();
  }
}
