/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of the live profile at one moment: the bytes of each stack, their ages, and the
 * growth of sites.
 *
 * @param timeMillis the moment, in milliseconds since the epoch
 * @param intervalBytes mean number of bytes between two samples, as configured; 0 if sampling is
 *     off
 * @param stacks the live buffers by stack
 * @param trends the trends of sites; sites without old bytes in the last minutes have none
 * @param trendsDropped number of samples that became old at sites without a trend, because too many
 *     sites had one already
 * @param detail the largest allocations, the sites that keep nearly empty chunks, and peaks
 */
public record LiveReport(
    long timeMillis,
    long intervalBytes,
    List<LiveStack> stacks,
    List<SiteTrend> trends,
    long trendsDropped,
    LiveDetail detail) {
  private static final Comparator<LiveSite> LARGEST_FIRST =
      Comparator.comparingDouble((LiveSite site) -> site.live().bytes())
          .reversed()
          .thenComparing(LiveSite::site)
          .thenComparing(LiveSite::memory);

  /** The report without samples. */
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

  /** Returns the estimate of all live buffers of one kind of memory. */
  public LiveEstimate total(String memory) {
    EstimateSum total = new EstimateSum();
    for (LiveStack stack : stacks) {
      if (stack.memory().equals(memory)) {
        total.add(stack.live());
      }
    }
    return total.sum();
  }

  /** Returns the sites, those with the most live bytes first. */
  public List<LiveSite> sites() {
    Map<String, Map<String, SiteSum>> known = new HashMap<>(); // by memory and site
    List<SiteSum> sums = new ArrayList<>(); // keeps the order: a report from a file may be sorted
    for (LiveStack stack : stacks) {
      Map<String, SiteSum> ofMemory =
          known.computeIfAbsent(stack.memory(), memory -> new HashMap<>());
      SiteSum sum = ofMemory.get(stack.stack().site());
      if (sum == null) {
        sum = new SiteSum(stack);
        sums.add(sum);
        ofMemory.put(sum.site, sum);
      }
      sum.add(stack);
    }
    for (SiteTrend trend : trends) {
      SiteSum sum = known.getOrDefault(trend.memory(), Map.of()).get(trend.site());
      if (sum != null) {
        sum.trend = trend;
      }
    }
    List<LiveSite> sites = new ArrayList<>(sums.size());
    sums.forEach(sum -> sites.add(sum.toSite()));
    sites.sort(LARGEST_FIRST);
    return sites;
  }

  /** The sum of the stacks of a site. */
  private static final class SiteSum {
    final String memory;
    final String site;
    int stacks;
    long oldestMillis;
    double lostBytes;
    final EstimateSum live = new EstimateSum();
    @Nullable SiteTrend trend;

    SiteSum(LiveStack first) {
      memory = first.memory();
      site = first.stack().site();
      oldestMillis = first.oldestMillis();
    }

    void add(LiveStack stack) {
      stacks++;
      oldestMillis = Math.min(oldestMillis, stack.oldestMillis());
      lostBytes += stack.lostBytes();
      live.add(stack.live());
    }

    LiveSite toSite() {
      SiteTrend shown = trend != null ? trend : new SiteTrend(memory, site, 0, 0, 0);
      return new LiveSite(memory, site, stacks, oldestMillis, lostBytes, live.sum(), shown);
    }
  }
}
