/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import java.util.ArrayList;
import java.util.List;

/** The reports of this package's tests, for tests of other packages. */
public final class Fixtures {
  private Fixtures() {}

  /** Reports whose every figure is fixed. */
  public static List<HostReport> reports() {
    return List.of(
        Reports.host(),
        Reports.everything(),
        Reports.host(Reports.observed()),
        Reports.host(new PoolReport[0]));
  }

  /** A report with all there is, in a few kilobytes. */
  public static HostReport everything() {
    return Reports.everything();
  }

  /** The stores of a detector at their limits, and more. */
  public static HostReport huge() {
    return HugeReportTest.report();
  }

  /** One of real pools with leaks. */
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

  /** A host that leaks at some sites, and has live buffers there. */
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

  /** A host whose pinned bytes, reserved bytes and thread cache requests tell one number. */
  public static HostReport telling(long number) {
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
   * Returns a report as a file contains it: largest allocations and holders are in rows of their
   * own, chunks are left out.
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

  /** The metrics that a report makes. */
  public static String metrics(HostReport report) {
    return metrics(report, SeriesOptions.DEFAULT);
  }

  /** As {@link #metrics(HostView)}, in OpenMetrics, with exemplars. */
  public static String openMetrics(HostView host) {
    return Scrape.openMetrics(CisternCollector.ofHosts(() -> List.of(host), SeriesOptions.DEFAULT));
  }

  /** The metrics that a view of a report makes. */
  public static String metrics(HostView host) {
    return metrics(CisternCollector.ofHosts(() -> List.of(host), SeriesOptions.DEFAULT));
  }

  /** The metrics that a report makes. */
  public static String metrics(HostReport report, SeriesOptions options) {
    return metrics(new CisternCollector(() -> report, options));
  }

  private static String metrics(CisternCollector collector) {
    return Scrape.text(collector).replaceAll("(?m)^cistern_scrape_duration_seconds .*$", "");
  }
}
