/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.RankedLeaks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of the sites with the most leaked bytes. Guarded by the store's lock.
 *
 * <p>For each number {@code n} of sites that a reader names: a site that is not among the first
 * {@code n} replaces the smallest of them when it has leaked a quarter more. So no other site has
 * leaked more than 5/4 of any named site, and sites with similar leaks keep their places.
 */
final class SiteRanking {
  /** The sites. The index of a site is its place. */
  private final List<LeakedSite> sites = new ArrayList<>();

  /**
   * Counts a leak of a site. If the leak makes the site larger than sites before it, the site moves
   * up first.
   */
  void add(LeakedSite site, long bytes) {
    if (site.place() == LeakedSite.NO_PLACE && sites.size() < LeakReport.PLACES) {
      site.moveTo(sites.size());
      sites.add(site);
    }
    LeakedSite smallest = smallestBefore(site);
    while (smallest != null && isOvertaken(smallest, site)) {
      swap(smallest, site);
      smallest = smallestBefore(site);
    }
    site.count(bytes);
  }

  private @Nullable LeakedSite smallestBefore(LeakedSite site) {
    LeakedSite smallest = null;
    for (LeakedSite other : sites.subList(0, Math.min(site.place(), sites.size()))) {
      if (smallest == null || other.weightBytes() <= smallest.weightBytes()) {
        smallest = other;
      }
    }
    return smallest;
  }

  private static boolean isOvertaken(LeakedSite smaller, LeakedSite site) {
    return site.weightBytes() - smaller.weightBytes() > smaller.weightBytes() / 4;
  }

  private void swap(LeakedSite smaller, LeakedSite site) {
    int to = smaller.place();
    int from = site.place();
    smaller.moveTo(from);
    if (from != LeakedSite.NO_PLACE) {
      sites.set(from, smaller);
    }
    site.moveTo(to);
    sites.set(to, site);
  }

  /** Removes a site that is no longer kept. */
  void remove(LeakedSite site) {
    if (site.place() != LeakedSite.NO_PLACE) {
      sites.remove(site.place());
      for (LeakedSite behind : sites.subList(site.place(), sites.size())) {
        behind.moveTo(behind.place() - 1);
      }
      site.moveTo(LeakedSite.NO_PLACE);
    }
  }

  List<RankedLeaks> show() {
    List<RankedLeaks> ranked = new ArrayList<>();
    sites.forEach(site -> site.show(ranked::add));
    return ranked;
  }
}
