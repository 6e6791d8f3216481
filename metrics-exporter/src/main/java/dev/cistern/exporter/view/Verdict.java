/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Row;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One sentence on a process: what is wrong or that nothing is, how sure that is, since when, and
 * what to do next.
 *
 * @param level how much it matters
 * @param what what is wrong
 * @param sure how sure that is
 * @param sinceMillis since when, in milliseconds since the epoch; 0 if unknown
 * @param next what to do next
 * @param site the site that it is about; empty if none
 */
record Verdict(Level level, String what, String sure, long sinceMillis, String next, String site) {
  /** A used limit is near its end from here on. */
  private static final double NEAR_LIMIT = 0.9;

  private static final long STALE_MILLIS = 30_000;

  /** How much a verdict matters; later ones matter more. */
  enum Level {
    FINE,
    NOTICE,
    WARNING,
    CRITICAL
  }

  /**
   * Returns the verdict that matters most. Of several with the same level it is, in this order: the
   * end of the process, old figures, a leak, a suspect, memory near its limit, failed allocations,
   * faults or fallbacks.
   */
  static Verdict of(HostView host) {
    List<Verdict> all = new ArrayList<>();
    addEnd(all, host);
    addReporting(all, host);
    host.copies().forEach(copy -> addSites(all, copy));
    List<Row> pools = host.copies().stream().flatMap(copy -> copy.pools().stream()).toList();
    if (host.isUp()) { // the memory of an ended process is freed
      pools.forEach(pool -> addLimit(all, pool));
    }
    pools.forEach(pool -> addFailed(all, pool));
    host.copies().forEach(copy -> addFaults(all, copy));
    return all.stream()
        .max(Comparator.comparing(Verdict::level))
        .orElse(
            new Verdict(
                Level.FINE,
                "No problem found",
                "no site is suspected, no leak was found, and no allocation failed",
                host.row().orZero(HostFigures.START_TIME),
                "nothing to do",
                ""));
  }

  private static void addEnd(List<Verdict> to, HostView host) {
    if (host.state() == HostView.State.DIED) {
      to.add(
          new Verdict(
              Level.CRITICAL,
              "The process was killed or has crashed",
              "its file was not closed, and nothing holds its lock",
              host.heartbeatMillis(),
              "compare its last memory with the limit of its container, and read its last sites",
              ""));
    } else if (host.state() == HostView.State.EXITED) {
      to.add(
          new Verdict(
              Level.NOTICE,
              "The process has ended as it should",
              "it closed its file",
              host.heartbeatMillis(),
              "nothing to do",
              ""));
    }
  }

  private static void addLimit(List<Verdict> to, Row pool) {
    long limit = pool.orZero(PoolFigures.LIMIT_BYTES);
    long used = pool.orZero(PoolFigures.LIMIT_USED_BYTES);
    long free = pool.orZero(PoolFigures.FREE_BYTES);
    if (limit > 0 && used - free >= NEAR_LIMIT * limit) {
      to.add( // more than a leak, which may be small
          new Verdict(
              Level.CRITICAL,
              TextFormat.bytes(used - free)
                  + " of "
                  + TextFormat.bytes(limit)
                  + " "
                  + pool.labels().get(0)
                  + " memory are used",
              "counted by the pool",
              0,
              "look at the sites below; raise -XX:MaxDirectMemorySize only if none of them grows",
              ""));
    }
  }

  private static void addFailed(List<Verdict> to, Row pool) {
    long failed = pool.orZero(PoolFigures.FAILED_ALLOCATIONS);
    if (failed > 0) {
      to.add(
          new Verdict(
              Level.WARNING,
              TextFormat.count(failed, "allocation")
                  + " of "
                  + pool.labels().get(0)
                  + " memory failed since the start",
              "counted by the pool",
              0,
              "look at the highest point of the chart, and at its sites",
              ""));
    }
  }

  private static void addSites(List<Verdict> to, CopyView copy) {
    LiveSite suspect =
        copy.live().sites().stream()
            .filter(site -> site.trend().isSuspect())
            .max(Comparator.comparingDouble(site -> site.live().bytes()))
            .orElse(null);
    LeakEntry largest = LeakedSites.of(copy.leaks()).stream().findFirst().orElse(null);
    boolean isSame = suspect != null && largest != null && suspect.site().equals(largest.site());
    if (largest != null) {
      to.add(
          new Verdict(
              Level.WARNING,
              "Buffers of "
                  + largest.site()
                  + " were never released: "
                  + TextFormat.bytes(largest.bytes())
                  + " of "
                  + largest.memory()
                  + " memory",
              "certain: the garbage collector found "
                  + TextFormat.count(largest.found(), "such buffer"),
              largest.firstSeenMillis(),
              "read the stack of this site and release the buffer there",
              largest.site()));
    }
    if (suspect != null && !isSame) {
      to.add(suspect(suspect));
    }
  }

  private static Verdict suspect(LiveSite site) {
    return new Verdict(
        Level.WARNING,
        "Memory of "
            + site.site()
            + " grows: "
            + TextFormat.bytes(site.live().bytes())
            + " now, "
            + TextFormat.change(site.trend().fiveMinutesBytes())
            + " in 5 minutes",
        "likely: from "
            + TextFormat.count(site.live().samples(), "sample")
            + ", standard error "
            + TextFormat.bytes(site.live().bytesError()),
        site.trend().suspectSinceMillis(),
        "read the stack of this site; a cache that fills up looks the same",
        site.site());
  }

  private static void addFaults(List<Verdict> to, CopyView copy) {
    long failures = copy.row().orZero(CopyFigures.FAILURES);
    long fallbacks = copy.row().orZero(CopyFigures.FALLBACKS);
    if (failures > 0) {
      to.add(
          new Verdict(
              Level.WARNING,
              "Cistern's pool of " + copy.pool() + " had " + TextFormat.count(failures, "fault"),
              "counted; each left one allocation to Netty",
              0,
              "read the log of the process and report the fault",
              ""));
    } else if (fallbacks > 0) {
      to.add(
          new Verdict(
              Level.NOTICE,
              TextFormat.count(fallbacks, "allocation")
                  + " of "
                  + copy.pool()
                  + " were left to Netty",
              "counted; memory was short",
              0,
              "look at the highest point of the chart",
              ""));
    }
  }

  private static void addReporting(List<Verdict> to, HostView host) {
    long age = host.heartbeatMillis() - host.timeMillis();
    if (host.isUp() && age > STALE_MILLIS) {
      to.add(
          new Verdict(
              Level.WARNING,
              "The process runs, but its last report is " + TextFormat.duration(age) + " old",
              "its heartbeat goes on",
              host.timeMillis(),
              "read the log of the process for failures of the stats file",
              ""));
    }
  }
}
