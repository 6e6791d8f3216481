/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.Text;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  @Override
  public Integer call() throws HostException {
    Map<String, HostReport> before = read();
    do {
      LockSupport.parkNanos(INTERVAL_NANOS);
      Map<String, HostReport> now = read();
      System.out.print(text(before, now) + System.lineSeparator());
      before = now;
    } while (!isOnce && !System.out.checkError());
    return Commands.DONE;
  }

  private Map<String, HostReport> read() throws HostException {
    Map<String, HostReport> reports = new HashMap<>();
    if (pid != null) {
      reports.put(String.valueOf(pid), files.agent(pid).report());
      return reports;
    }
    for (AgentProcess agent : files.agents().all()) {
      try {
        reports.put(
            agent.pid() == 0 ? "?" + reports.size() : String.valueOf(agent.pid()), agent.report());
      } catch (HostException ended) {
        // the host ends, or writes a damaged file: list shows it
      }
    }
    return reports;
  }

  /**
   * Returns a screen.
   *
   * @param before reports of an earlier moment by process, for the rates
   * @param now later reports of these
   */
  static String text(Map<String, HostReport> before, Map<String, HostReport> now) {
    List<String> rows = new ArrayList<>();
    List<String> suspects = new ArrayList<>();
    now.forEach(
        (pid, report) -> {
          HostReport old = before.getOrDefault(pid, report);
          for (CopyReport copy : report.copies()) {
            CopyReport oldCopy =
                old.copies().stream()
                    .filter(each -> each.pool().equals(copy.pool()))
                    .findFirst()
                    .orElse(copy);
            double seconds = (report.timeMillis() - old.timeMillis()) / MILLIS_PER_SECOND;
            rows.add(row(pid, report, copy, oldCopy, seconds));
            copy.live().trends().stream()
                .filter(SiteTrend::isSuspect)
                .forEach(trend -> suspects.add(suspect(pid, trend)));
          }
        });
    rows.sort(null);
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
    rows.forEach(text::append);
    suspects.stream().sorted().limit(MAX_SUSPECTS).forEach(text::append);
    return text.toString();
  }

  private static String row(
      String pid, HostReport report, CopyReport copy, CopyReport old, double seconds) {
    long reserved = 0;
    long pinned = 0;
    long resident = 0;
    for (PoolSnapshot pool : copy.pools()) {
      reserved += pool.reservedBytes();
      pinned += pool.pinnedBytes();
      resident += Math.max(0, pool.residentBytes());
    }
    for (NettyAllocatorReport part : copy.netty().allocators()) {
      reserved += part.reservedBytes();
      pinned += part.pinnedBytes();
    }
    boolean isResidentKnown = copy.pools().stream().anyMatch(pool -> pool.residentBytes() >= 0);
    double live = 0;
    for (LiveStack stack : copy.live().stacks()) {
      live += stack.live().bytes();
    }
    StringBuilder text = new StringBuilder();
    append(
        text,
        pid,
        Text.plain(copy.pool()),
        Text.plain(copy.mode()),
        Text.bytes(reserved),
        isResidentKnown ? Text.bytes(resident) : "-",
        Text.bytes(pinned),
        rate(allocations(copy) - allocations(old), seconds),
        rate(releases(copy) - releases(old), seconds),
        Text.bytes(Math.round(live)),
        Text.count(copy.live().trends().stream().filter(SiteTrend::isSuspect).count()),
        Text.count(copy.leaks().entries().stream().mapToLong(leak -> leak.found()).sum()),
        Text.plain(report.application()));
    return text.toString();
  }

  private static long allocations(CopyReport copy) {
    long sum = 0;
    for (PoolSnapshot pool : copy.pools()) {
      sum += pool.allocations();
    }
    for (NettyAllocatorReport part : copy.netty().allocators()) {
      sum += part.allocations().stream().mapToLong(Long::longValue).sum();
    }
    return sum;
  }

  private static long releases(CopyReport copy) {
    long sum = 0;
    for (PoolSnapshot pool : copy.pools()) {
      sum += pool.deallocations();
    }
    for (NettyAllocatorReport part : copy.netty().allocators()) {
      sum += part.deallocations().stream().mapToLong(Long::longValue).sum();
    }
    return sum;
  }

  private static String rate(long count, double seconds) {
    return seconds <= 0 ? "-" : Text.count(Math.round(Math.max(0, count) / seconds));
  }

  private static String suspect(String pid, SiteTrend trend) {
    return String.format(
        Locale.ROOT,
        "%-8s suspect %s (%s), %s in 5 min%n",
        pid,
        Text.plain(trend.site()),
        trend.memory(),
        Text.change(trend.fiveMinutesBytes()));
  }

  private static void append(StringBuilder text, Object... columns) {
    text.append(
        String.format(
            Locale.ROOT, "%-8s %-24s %-8s %10s %10s %10s %12s %12s %10s %8s %6s %s%n", columns));
  }
}
