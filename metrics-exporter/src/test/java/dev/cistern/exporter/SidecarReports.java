/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.LeakEntry;
import dev.cistern.leak.LiveStack;
import java.util.ArrayList;
import java.util.List;

/** Reports of made-up hosts, for tests of other packages. */
public final class SidecarReports {
  private SidecarReports() {}

  /** A host by its number. */
  public static HostIdentity host(int number) {
    return new HostIdentity(
        String.format("%016x", number), "shop-" + number, "", "", 42, "0.1.0", 1_000);
  }

  /** A full report with a number of leaks. */
  public static HostReport report(HostIdentity host, long timeMillis, long leaks) {
    LeakEntry entry = Reports.entry("direct", "com.shop.Cart.add:7", leaks, 1_000 * leaks);
    CopyReport copy = Reports.copy("io.netty", Reports.leaks(List.of(entry)), Reports.live());
    return new HostReport(host, timeMillis, 0, List.of(copy));
  }

  /** A report of a host whose leaks and live sites are many: 200 stacks of each. */
  public static HostReport large(HostIdentity host) {
    List<LeakEntry> leaks = new ArrayList<>();
    List<LiveStack> live = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String memory = i % 2 == 0 ? "direct" : "heap";
      leaks.add(Reports.entry(memory, "com.shop.orders.Leaking" + i + ".take:" + i, i, 100L * i));
      live.add(Reports.stack(memory, "com.shop.orders.Holding" + i + ".hold:" + i, 3, 5_000 + i));
    }
    CopyReport copy = Reports.copy("io.netty", Reports.leaks(leaks), Reports.live(live, List.of()));
    return new HostReport(host, System.currentTimeMillis(), 0, List.of(copy));
  }

  /** The text of a scrape. */
  public static String scrape(Hosts hosts) {
    return Scrape.text(new CisternCollector(hosts, ExporterOptions.DEFAULT, to -> {}));
  }
}
