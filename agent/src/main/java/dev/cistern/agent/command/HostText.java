/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.ModeChange;
import dev.cistern.exporter.Text;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.Locale;

/** The report of a host as text for a terminal. */
final class HostText {
  private final StringBuilder text = new StringBuilder();
  private final HostReport report;

  private HostText(HostReport report) {
    this.report = report;
  }

  /** Returns a line with the mode of each copy. */
  static String modes(HostReport report) {
    HostText text = new HostText(report);
    report.copies().forEach(text::appendMode);
    return text.toString();
  }

  /** Returns which copies and allocators are served, and the causes of what is not. */
  static String why(HostReport report) {
    HostText text = new HostText(report);
    text.text.append("Cistern ").append(Text.plain(report.host().version()));
    if (!report.application().isEmpty()) {
      text.text.append(" in ").append(Text.plain(report.application()));
    }
    text.text
        .append(", report of ")
        .append(age(report.timeMillis(), System.currentTimeMillis()))
        .append(" ago, failures of the agent: ")
        .append(Text.count(report.failures()))
        .append(", refused commands: ")
        .append(Text.count(report.controlRefusals()))
        .append('\n');
    report.copies().forEach(text::appendCopy);
    return text.toString();
  }

  private void appendCopy(CopyReport copy) {
    text.append('\n');
    appendMode(copy);
    line("served", isServed(copy));
    line(
        "allocations",
        Text.count(copy.served())
            + " served, "
            + Text.count(copy.fellBack())
            + " fallbacks to Netty (memory was short), "
            + Text.count(copy.failures())
            + " failures");
    for (PoolSnapshot pool : copy.pools()) {
      line(pool.memory() + " pool", memory(pool.reservedBytes(), pool.pinnedBytes()) + limit(pool));
    }
    appendAllocators(copy);
    line("leaks", Text.count(copy.leaks().entries().stream().mapToLong(LeakEntry::found).sum()));
    long suspects = copy.live().trends().stream().filter(trend -> trend.isSuspect()).count();
    line("suspects", Text.count(suspects));
  }

  private void appendMode(CopyReport copy) {
    text.append(Text.plain(copy.pool()));
    if (!copy.version().isEmpty()) {
      text.append(' ').append(Text.plain(copy.version()));
    }
    text.append(": ").append(Text.plain(copy.mode()));
    ModeChange change = copy.modeChange();
    if (change.timeMillis() > 0) {
      text.append(" since ").append(age(change.timeMillis(), report.timeMillis()));
      text.append(" (").append(Text.plain(change.source())).append(')');
    }
    if (!copy.reason().isEmpty()) {
      text.append("; ").append(Text.plain(copy.reason()));
    }
    text.append('\n');
  }

  private static String isServed(CopyReport copy) {
    return switch (copy.mode()) {
      case "swap" -> "yes, by Cistern's pool";
      case "observe" -> "no, Netty's own allocator is observed";
      case "off" -> "no, Netty's own allocator is not observed";
      default -> "by a pool of the library";
    };
  }

  /** Appends what is known of each allocator of a copy. */
  private void appendAllocators(CopyReport copy) {
    for (NettyAllocatorReport allocator : copy.netty().allocators()) {
      if (allocator.isAlive()) {
        line(
            allocator.name(),
            "Netty's own, "
                + allocator.memory()
                + ", "
                + memory(allocator.reservedBytes(), allocator.pinnedBytes()));
      }
    }
    for (AllocatorInfo each : copy.netty().inventory()) {
      String since = "for " + age(each.sinceMillis(), report.timeMillis());
      line("allocator", each.describe(since));
    }
  }

  private static String memory(long reserved, long pinned) {
    return "reserved " + Text.bytes(reserved) + ", pinned " + Text.bytes(pinned);
  }

  private static String limit(PoolSnapshot pool) {
    String way = pool.memoryWay();
    return (pool.limitBytes() == Long.MAX_VALUE
            ? ", no limit"
            : ", used "
                + Text.bytes(pool.usedBytes())
                + " of the limit "
                + Text.bytes(pool.limitBytes()))
        + (way == null ? "" : ", " + way);
  }

  private void line(String label, String value) {
    text.append(String.format(Locale.ROOT, "  %-12s %s%n", Text.plain(label), Text.plain(value)));
  }

  private static String age(long sinceMillis, long nowMillis) {
    return Text.duration(nowMillis - sinceMillis);
  }

  @Override
  public String toString() {
    return text.isEmpty() ? "no copy of Netty has been found yet\n" : text.toString();
  }
}
