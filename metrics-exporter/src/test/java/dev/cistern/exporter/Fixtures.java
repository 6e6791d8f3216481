/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

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
        Reports.host(new CopyReport[0]));
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

  /** The metrics that a report makes. */
  public static String metrics(HostReport report) {
    return Scrape.text(new CisternCollector(() -> report))
        .replaceAll("(?m)^cistern_scrape_duration_seconds .*$", "");
  }
}
