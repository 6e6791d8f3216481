/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The order in which the sites of a live profile are shown. */
public final class LiveSites {
  private static final Comparator<LiveSite> SUSPECTS_FIRST =
      Comparator.comparing((LiveSite site) -> !site.trend().isSuspect());
  private static final Comparator<LiveStack> LARGEST_FIRST =
      Comparator.comparingDouble((LiveStack stack) -> stack.live().bytes()).reversed();

  private LiveSites() {}

  /**
   * Returns the sites: suspects first, then by bytes. The list includes suspects without live
   * bytes.
   */
  public static List<LiveSite> of(LiveReport live) {
    List<LiveSite> sites = live.sites();
    if (live.trends().stream().noneMatch(SiteTrend::isSuspect)) {
      return sites;
    }
    Set<List<String>> known = new HashSet<>();
    sites.forEach(site -> known.add(List.of(site.memory(), site.site())));
    for (SiteTrend trend : live.trends()) {
      if (trend.isSuspect() && known.add(List.of(trend.memory(), trend.site()))) {
        sites.add(
            new LiveSite(
                trend.memory(),
                trend.site(),
                0,
                live.timeMillis(),
                0,
                LiveEstimate.NOTHING,
                trend));
      }
    }
    sites.sort(SUSPECTS_FIRST);
    return sites;
  }

  /** Returns the stacks of a site, those with the most bytes first. */
  public static List<LiveStack> stacks(LiveReport live, LiveSite site) {
    return live.stacks().stream()
        .filter(stack -> stack.memory().equals(site.memory()))
        .filter(stack -> stack.stack().site().equals(site.site()))
        .sorted(LARGEST_FIRST)
        .toList();
  }
}
