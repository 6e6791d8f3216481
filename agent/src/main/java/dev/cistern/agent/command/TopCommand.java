/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code top}: shows memory and rates of each copy, again every two seconds. */
@Command(
    name = "top",
    header = "Shows memory, rates and suspected sites of each Netty copy, without attaching.",
    description = "Again every two seconds. Ctrl-C ends it.")
final class TopCommand implements Callable<Integer> {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final int MAX_SUSPECTS = 10;

  @Parameters(arity = "0..1", paramLabel = "<pid>", description = Commands.PID + " All by default.")
  private @Nullable Long pid;

  @Option(names = "--once", description = "Show one screen, with the rates of two seconds.")
  private boolean isOnce;

  @Mixin private StatsFiles files = new StatsFiles();

  /**
   * The columns of a copy of Netty. Kept instead of the whole report, which can take some MiB.
   *
   * @param resident resident bytes of its pools; negative if unknown
   * @param suspects lines of suspected sites
   */
  private record Row(
      String process,
      String pool,
      String mode,
      long reserved,
      long resident,
      long pinned,
      long allocations,
      long releases,
      long live,
      long leaks,
      String application,
      long timeMillis,
      List<String> suspects) {}

  @Override
  public Integer call() throws HostException {
    List<Row> before = read();
    do {
      LockSupport.parkNanos(INTERVAL_NANOS);
      List<Row> now = read();
      System.out.print(text(before, now) + System.lineSeparator());
      before = now;
    } while (!isOnce && !System.out.checkError());
    return Commands.DONE;
  }

  private List<Row> read() throws HostException {
    if (pid != null) {
      return rows(String.valueOf(pid), files.agent(pid).report());
    }
    List<Row> rows = new ArrayList<>();
    int unknown = 0;
    for (AgentProcess agent : files.agents().all()) {
      String process = agent.pid() == 0 ? "?" + unknown++ : String.valueOf(agent.pid());
      try {
        rows.addAll(rows(process, agent.report()));
      } catch (HostException ended) {
        // the host ends, or writes a damaged file: list shows it
      }
    }
    return rows;
  }

  /** Returns the text of one report, without rates. */
  static String text(HostView report) {
    return text(List.of(), rows("-", report));
  }

  /**
   * Returns the text of one screen.
   *
   * @param before rows of an earlier moment, for the rates
   */
  private static String text(List<Row> before, List<Row> now) {
    List<String> lines = new ArrayList<>();
    List<String> suspects = new ArrayList<>();
    for (Row row : now) {
      Row old =
          before.stream()
              .filter(each -> each.process.equals(row.process) && each.pool.equals(row.pool))
              .findFirst()
              .orElse(row);
      lines.add(line(old, row));
      suspects.addAll(row.suspects);
    }
    StringBuilder text = new StringBuilder();
    append(
        text,
        "PID",
        "POOL",
        "MODE",
        "RESERVED",
        "RESIDENT",
        "PINNED",
        "ALLOC/S",
        "FREE/S",
        "LIVE",
        "SUSPECTS",
        "LEAKS",
        "MAIN");
    lines.stream().sorted().forEach(text::append);
    suspects.stream().sorted().limit(MAX_SUSPECTS).forEach(text::append);
    return text.toString();
  }

  private static List<Row> rows(String process, HostView report) {
    return report.copies().stream().map(copy -> row(process, report, copy)).toList();
  }

  private static Row row(String process, HostView report, CopyView copy) {
    double live = 0;
    for (LiveStack stack : copy.live().stacks()) {
      live += stack.live().bytes();
    }
    return new Row(
        process,
        TextFormat.plain(copy.pool()),
        TextFormat.plain(copy.mode()),
        copy.sum(PoolFigures.RESERVED_BYTES),
        isResidentKnown(copy) ? copy.sum(PoolFigures.RESIDENT_BYTES) : -1,
        copy.sum(PoolFigures.PINNED_BYTES),
        groups(copy, PoolFigures.ALLOCATIONS, PoolFigures.NETTY_ALLOCATIONS),
        groups(copy, PoolFigures.DEALLOCATIONS, PoolFigures.NETTY_DEALLOCATIONS),
        Math.round(live),
        copy.leaks().found(),
        TextFormat.plain(report.application()),
        report.timeMillis(),
        copy.live().trends().stream()
            .filter(SiteTrend::isSuspect)
            .map(trend -> suspect(process, trend))
            .toList());
  }

  private static String line(Row old, Row row) {
    double seconds = (row.timeMillis - old.timeMillis) / MILLIS_PER_SECOND;
    StringBuilder text = new StringBuilder();
    append(
        text,
        row.process,
        row.pool,
        row.mode,
        TextFormat.bytes(row.reserved),
        row.resident >= 0 ? TextFormat.bytes(row.resident) : "-",
        TextFormat.bytes(row.pinned),
        rate(row.allocations - old.allocations, seconds),
        rate(row.releases - old.releases, seconds),
        TextFormat.bytes(row.live),
        TextFormat.count(row.suspects.size()),
        TextFormat.count(row.leaks),
        row.application);
    return text.toString();
  }

  private static boolean isResidentKnown(CopyView copy) {
    return copy.pools().stream()
        .anyMatch(pool -> pool.get(PoolFigures.RESIDENT_BYTES) != Figure.ABSENT);
  }

  private static long groups(CopyView copy, Figure<?> own, Figure<?> netty) {
    return copy.pools().stream()
        .flatMap(pool -> pool.rows(PoolFigures.GROUP).stream())
        .mapToLong(group -> group.orZero(own) + group.orZero(netty))
        .sum();
  }

  private static String rate(long count, double seconds) {
    return seconds <= 0 ? "-" : TextFormat.count(Math.round(Math.max(0, count) / seconds));
  }

  private static String suspect(String pid, SiteTrend trend) {
    return String.format(
        Locale.ROOT,
        "%-8s suspect %s (%s), %s in 5 min%n",
        pid,
        TextFormat.plain(trend.site()),
        trend.memory(),
        TextFormat.change(trend.fiveMinutesBytes()));
  }

  private static void append(StringBuilder text, Object... columns) {
    text.append(
        String.format(
            Locale.ROOT, "%-8s %-24s %-8s %10s %10s %10s %12s %12s %10s %8s %6s %s%n", columns));
  }
}
