/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import java.util.ArrayList;
import java.util.List;

/** Reports of this package's tests, for tests of other packages. */
public final class Fixtures {
  private Fixtures() {}

  /** Returns reports in which every value is fixed. */
  public static List<HostReport> reports() {
    return List.of(
        Reports.host(),
        Reports.everything(),
        Reports.host(Reports.observed()),
        Reports.host(new PoolReport[0]));
  }

  /** Returns a report with all kinds of content, in a few kilobytes. */
  public static HostReport everything() {
    return Reports.everything();
  }

  /** Returns a report of detectors whose stores exceed their limits. */
  public static HostReport huge() {
    return HugeReportTest.report();
  }

  /** Returns a report of real pools with leaks. */
  public static HostReport loaded() throws InterruptedException {
    LoadedHost host = new LoadedHost();
    host.start();
    try {
      host.allocateStill(100, 10, 1_000);
      host.leak(5, 100_000);
      return host.report();
    } finally {
      host.stop();
    }
  }

  /** Returns a report of a host that leaks at some sites, and has live buffers there. */
  public static HostReport leaking(List<String> sites) {
    return Reports.host(
        Reports.copy(
            "io.netty",
            Reports.leaks(
                sites.stream().map(site -> Reports.entry("direct", site, 2, 4_096)).toList()),
            Reports.live(
                sites.stream().map(site -> Reports.stack("direct", site, 2, 8_192)).toList(),
                List.of())));
  }

  /**
   * Returns a report in which pinned bytes, reserved bytes and thread cache requests are a number
   * plus fixed offsets.
   */
  public static HostReport numbered(long number) {
    return Reports.host(
        new PoolReport(
            "pool",
            "",
            PoolReport.LIBRARY,
            "",
            List.of(Reports.snapshot("heap", number, Long.MAX_VALUE)),
            0,
            0,
            0,
            LeakReport.EMPTY,
            LiveReport.EMPTY,
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of()));
  }

  /**
   * Returns a report as a stats file contains it: largest allocations and holders are in separate
   * rows, and chunks are left out.
   */
  public static HostView inFile(HostReport report) {
    HostView host = HostView.of(report);
    List<CopyView> copies = new ArrayList<>();
    for (CopyView copy : host.copies()) {
      LiveReport live = copy.live();
      copies.add(
          new CopyView(
              copy.row(),
              copy.leaks(),
              new LiveReport(
                  live.timeMillis(),
                  live.intervalBytes(),
                  live.stacks(),
                  live.trends(),
                  live.trendsDropped())));
    }
    return new HostView(host.row(), copies);
  }

  /** Returns the metrics of a report. */
  public static String metrics(HostReport report) {
    return metrics(report, SeriesOptions.DEFAULT);
  }

  /** As {@link #metrics(HostView)}, but in OpenMetrics with exemplars. */
  public static String openMetrics(HostView host) {
    return Scrape.openMetrics(CisternCollector.ofHosts(() -> List.of(host), SeriesOptions.DEFAULT));
  }

  /** Returns the metrics of a view of a report. */
  public static String metrics(HostView host) {
    return metrics(CisternCollector.ofHosts(() -> List.of(host), SeriesOptions.DEFAULT));
  }

  /** Returns the metrics of a report with these options. */
  public static String metrics(HostReport report, SeriesOptions options) {
    return metrics(new CisternCollector(() -> report, options));
  }

  private static String metrics(CisternCollector collector) {
    return Scrape.text(collector).replaceAll("(?m)^cistern_scrape_duration_seconds .*$", "");
  }
}
