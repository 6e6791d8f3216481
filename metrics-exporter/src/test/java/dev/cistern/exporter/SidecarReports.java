/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.LeakEntry;
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

  /** The text of a scrape. */
  public static String scrape(Hosts hosts) {
    return Scrape.text(new CisternCollector(hosts, ExporterOptions.DEFAULT, to -> {}));
  }
}
