/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The sites of a live profile in the order in which they are shown. */
final class LiveSites {
  private static final Comparator<LiveSite> SUSPECTS_FIRST =
      Comparator.comparing((LiveSite site) -> !site.trend().isSuspect());
  private static final Comparator<LiveStack> LARGEST_FIRST =
      Comparator.comparingDouble((LiveStack stack) -> stack.live().bytes()).reversed();

  private LiveSites() {}

  /** Suspects first, then by bytes. A suspect that holds nothing now is among them. */
  static List<LiveSite> of(LiveReport live) {
    List<LiveSite> sites = new ArrayList<>(live.sites());
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

  /** The sites that a reader wants to see. */
  static List<LiveSite> of(LiveReport live, View view) {
    return of(live).stream().filter(site -> view.shows(site.site())).toList();
  }

  /** The stacks of a site, those with the most bytes first. */
  static List<LiveStack> stacks(LiveReport live, LiveSite site) {
    return live.stacks().stream()
        .filter(stack -> stack.memory().equals(site.memory()))
        .filter(stack -> stack.stack().site().equals(site.site()))
        .sorted(LARGEST_FIRST)
        .toList();
  }

  /** How many sites of one kind of memory are suspected of leaking. */
  static long suspects(LiveReport live, String memory) {
    return live.trends().stream()
        .filter(trend -> trend.isSuspect() && trend.memory().equals(memory))
        .count();
  }

  /** The bytes of one kind of memory whose buffers were garbage collected unreleased. */
  static double lostBytes(LiveReport live, String memory) {
    return live.stacks().stream()
        .filter(stack -> stack.memory().equals(memory))
        .mapToDouble(LiveStack::lostBytes)
        .sum();
  }

  /** The kinds of memory of a copy: those of its pools, and those that its profile knows. */
  static Set<String> memories(CopyReport copy) {
    Set<String> memories = new TreeSet<>();
    if (copy.mode().equals(CopyReport.LIBRARY)) {
      memories.addAll(List.of("direct", "heap"));
    }
    copy.pools().forEach(pool -> memories.add(pool.memory()));
    copy.netty().allocators().forEach(part -> memories.add(part.memory()));
    copy.live().stacks().forEach(stack -> memories.add(stack.memory()));
    copy.live().trends().forEach(trend -> memories.add(trend.memory()));
    return memories;
  }
}
