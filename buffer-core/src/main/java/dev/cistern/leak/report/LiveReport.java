/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The live profile at one moment: which stacks hold how many bytes, how old they are, and which
 * sites grow. An immutable copy.
 *
 * @param timeMillis the moment, milliseconds since the epoch
 * @param intervalBytes mean bytes between two samples as it is set; 0: sampling is off
 * @param stacks what is live, by stack
 * @param trends how the sites change; those without old bytes in the last minutes have none
 * @param trendsDropped samples that grew old at sites whose change is not followed, because too
 *     many were already
 * @param detail the largest allocations, the sites that keep nearly empty chunks, and peaks
 */
public record LiveReport(
    long timeMillis,
    long intervalBytes,
    List<LiveStack> stacks,
    List<SiteTrend> trends,
    long trendsDropped,
    LiveDetail detail) {
  /** Nothing was seen. */
  public static final LiveReport EMPTY = new LiveReport(0, 0, List.of(), List.of(), 0);

  /** Copies the lists. */
  public LiveReport {
    stacks = List.copyOf(stacks);
    trends = List.copyOf(trends);
  }

  /** Creates a report without details. */
  public LiveReport(
      long timeMillis,
      long intervalBytes,
      List<LiveStack> stacks,
      List<SiteTrend> trends,
      long trendsDropped) {
    this(timeMillis, intervalBytes, stacks, trends, trendsDropped, LiveDetail.NONE);
  }

  /** Everything of one kind of memory together. */
  public LiveEstimate total(String memory) {
    LiveEstimate total = LiveEstimate.NOTHING;
    for (LiveStack stack : stacks) {
      if (stack.memory().equals(memory)) {
        total = total.plus(stack.live());
      }
    }
    return total;
  }

  /** The sites, those with the most live bytes first. */
  public List<LiveSite> sites() {
    Map<List<String>, SiteTrend> known = new HashMap<>();
    trends.forEach(trend -> known.put(List.of(trend.memory(), trend.site()), trend));
    Map<List<String>, LiveSite> sites = new LinkedHashMap<>();
    for (LiveStack stack : stacks) {
      List<String> key = List.of(stack.memory(), stack.stack().site());
      LiveSite site = sites.get(key);
      if (site == null) {
        SiteTrend trend = known.get(key);
        site = empty(stack, trend != null ? trend : new SiteTrend(key.get(0), key.get(1), 0, 0, 0));
      }
      sites.put(key, site.plus(stack));
    }
    List<LiveSite> sorted = new ArrayList<>(sites.values());
    sorted.sort(
        Comparator.comparingDouble((LiveSite site) -> site.live().bytes())
            .reversed()
            .thenComparing(LiveSite::site)
            .thenComparing(LiveSite::memory));
    return sorted;
  }

  private static LiveSite empty(LiveStack first, SiteTrend trend) {
    return new LiveSite(
        first.memory(),
        first.stack().site(),
        0,
        first.oldestMillis(),
        0,
        LiveEstimate.NOTHING,
        trend);
  }
}
