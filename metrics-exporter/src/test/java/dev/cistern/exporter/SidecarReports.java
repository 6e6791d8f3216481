/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveStack;
import java.util.ArrayList;
import java.util.List;

/** Reports of invented hosts, for tests of other packages. */
public final class SidecarReports {
  private SidecarReports() {}

  /** Returns the identity of a host by its number. */
  public static HostIdentity host(int number) {
    return new HostIdentity(
        String.format("%016x", number), "shop-" + number, "", "", 42, "0.1.0", 1_000);
  }

  /** Returns a full report with a number of leaks. */
  public static HostReport report(HostIdentity host, long timeMillis, long leaks) {
    LeakEntry entry = Reports.entry("direct", "com.shop.Cart.add:7", leaks, 1_000 * leaks);
    PoolReport copy = Reports.copy("io.netty", Reports.leaks(List.of(entry)), Reports.live());
    return new HostReport(host, timeMillis, 0, List.of(copy));
  }

  /** Returns a report of a host with many leaks and live sites: 200 stacks of each. */
  public static HostReport large(HostIdentity host) {
    List<LeakEntry> leaks = new ArrayList<>();
    List<LiveStack> live = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String memory = i % 2 == 0 ? "direct" : "heap";
      leaks.add(Reports.entry(memory, "com.shop.orders.Leaking" + i + ".take:" + i, i, 100L * i));
      live.add(Reports.stack(memory, "com.shop.orders.Holding" + i + ".hold:" + i, 3, 5_000 + i));
    }
    PoolReport copy = Reports.copy("io.netty", Reports.leaks(leaks), Reports.live(live, List.of()));
    return new HostReport(host, System.currentTimeMillis(), 0, List.of(copy));
  }

  /**
   * Returns two copies of Netty with leaks at this number of sites, some of them with equal times.
   */
  public static HostReport manyLeaks(HostIdentity host, int sites) {
    List<PoolReport> copies = new ArrayList<>();
    for (int copy = 0; copy < 2; copy++) {
      List<LeakEntry> leaks = new ArrayList<>();
      for (int i = copy; i < 2 * sites; i += 2) {
        String site = "com.shop.Leak" + i / 4 + (i % 3 == 0 ? "x".repeat(250) : "") + ".take:7";
        LeakEntry entry = Reports.entry(i % 4 < 2 ? "direct" : "heap", site, i + 1, 100L * i);
        long lastMillis = 5_000 + i * 37L % 101;
        leaks.add(
            new LeakEntry(
                entry.found(),
                entry.buffers(),
                entry.bytes(),
                1_000 + i * 31L % 17,
                lastMillis,
                entry.latest()));
      }
      copies.add(Reports.copy("io.netty" + copy, Reports.leaks(leaks), Reports.live()));
    }
    return new HostReport(host, System.currentTimeMillis(), 0, copies);
  }

  /** Returns the text of a scrape in OpenMetrics, without its duration. */
  public static String openMetrics(Hosts hosts, SeriesOptions options) {
    return Scrape.openMetrics(new CisternCollector(hosts, options, to -> {}))
        .replaceAll("(?m)^cistern_scrape_duration_seconds .*$", "");
  }

  /** Returns the text of a scrape. */
  public static String text(CisternCollector collector) {
    return Scrape.text(collector);
  }

  /** Returns the text of a scrape of these hosts. */
  public static String scrape(Hosts hosts) {
    return Scrape.text(new CisternCollector(hosts, SeriesOptions.DEFAULT, to -> {}));
  }
}
