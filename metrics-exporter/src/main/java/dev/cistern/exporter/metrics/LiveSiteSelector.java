/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.LiveSites;
import dev.cistern.exporter.report.SiteFigures.HoldingSite;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.EstimateSum;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Selector of the live sites that have their own series. All other sites are {@link
 * SiteLabel#OTHER}.
 *
 * <p>Suspects rank first, then the sites with the most bytes. The ranking changes all the time, so
 * that a selection by rank alone would start and end series at every scrape. With a limit of K
 * sites, a site therefore keeps its series while it is among the first 2K, and for five minutes
 * after it was last seen. Only a suspect, or a site among the first K/2, replaces a site that is
 * not among the first K.
 */
final class LiveSiteSelector {
  private static final long KEPT_MILLIS = 5 * 60_000;

  private static final Comparator<Ranked> ORDER =
      Comparator.comparing((Ranked ranked) -> !ranked.suspect())
          .thenComparing(Comparator.comparingDouble((Ranked r) -> r.live().bytes()).reversed())
          .thenComparingInt(ranked -> SiteLabel.stableHash(ranked.key().site()))
          .thenComparing(ranked -> ranked.key().site());

  /**
   * Time at which each site that has a series was last seen, in milliseconds. Guarded by this
   * object's lock.
   */
  private final Map<SiteKey, Long> named = new LinkedHashMap<>();

  private record Ranked(SiteKey key, boolean suspect, LiveEstimate live) {}

  /**
   * Returns the series of each pool: its named sites, and the remainder for each kind of memory.
   *
   * @param limit number of sites that have their own series, over all pools; may change between
   *     calls
   */
  synchronized IdentityHashMap<CopyView, List<HoldingSite>> choose(
      List<CopyView> copies, int limit) {
    List<Ranked> ranking = ranking(copies);
    Map<SiteKey, Integer> places = new HashMap<>();
    for (int i = 0; i < ranking.size(); i++) {
      SiteKey key = ranking.get(i).key();
      if (i < limit || named.containsKey(key)) { // only these have or can get a series
        places.put(key, i);
      }
    }
    long nowMillis = nowMillis(copies);
    named.replaceAll((key, seen) -> places.containsKey(key) ? Long.valueOf(nowMillis) : seen);
    named.keySet().removeIf(key -> isOver(key, ranking, places, 2 * limit, nowMillis));
    while (named.size() > limit) {
      named.remove(last(places));
    }
    for (int place = 0; place < Math.min(limit, ranking.size()); place++) {
      admit(ranking.get(place), place, limit, places, nowMillis);
    }
    // Compare by identity, because the hash code of a copy reads all its stacks.
    IdentityHashMap<CopyView, List<HoldingSite>> chosen = new IdentityHashMap<>();
    copies.forEach(copy -> chosen.put(copy, series(copy, ranking)));
    return chosen;
  }

  private static List<Ranked> ranking(List<CopyView> copies) {
    Map<SiteKey, Ranked> sites = new LinkedHashMap<>();
    for (CopyView copy : copies) {
      for (LiveSite site : LiveSites.of(copy.live())) {
        SiteKey key = new SiteKey(copy.pool(), site.memory(), SiteLabel.of(site.site()));
        sites.put(key, new Ranked(key, site.trend().isSuspect(), site.live()));
      }
    }
    List<Ranked> ranking = new ArrayList<>(sites.values());
    ranking.sort(ORDER);
    return ranking;
  }

  private static long nowMillis(List<CopyView> copies) {
    return copies.stream().map(CopyView::live).mapToLong(LiveReport::timeMillis).max().orElse(0);
  }

  private boolean isOver(
      SiteKey key,
      List<Ranked> ranking,
      Map<SiteKey, Integer> places,
      int keptPlaces,
      long nowMillis) {
    Integer place = places.get(key);
    if (place == null) {
      return nowMillis - named.getOrDefault(key, 0L) >= KEPT_MILLIS;
    }
    return place >= keptPlaces && !ranking.get(place).suspect();
  }

  private void admit(
      Ranked candidate, int place, int limit, Map<SiteKey, Integer> places, long nowMillis) {
    if (named.containsKey(candidate.key())) {
      return;
    }
    if (named.size() >= limit) {
      SiteKey last = last(places);
      boolean isLastGone = !places.containsKey(last);
      boolean isLastFar = places.getOrDefault(last, Integer.MAX_VALUE) >= limit;
      boolean isFirst = candidate.suspect() || place < (limit + 1) / 2;
      if (!isLastGone && !(isLastFar && isFirst)) {
        return;
      }
      named.remove(last);
    }
    named.put(candidate.key(), nowMillis);
  }

  /**
   * Returns the named site to replace first: one that was not seen, or the one with the lowest
   * rank.
   */
  private SiteKey last(Map<SiteKey, Integer> places) {
    return named.keySet().stream()
        .max(Comparator.comparingInt(key -> places.getOrDefault(key, Integer.MAX_VALUE)))
        .orElseThrow();
  }

  private List<HoldingSite> series(CopyView copy, List<Ranked> ranking) {
    Map<String, EstimateSum> rest = new LinkedHashMap<>();
    for (String memory : copy.memories()) {
      rest.put(memory, new EstimateSum());
    }
    Map<SiteKey, HoldingSite> own = new LinkedHashMap<>();
    for (SiteKey key : named.keySet()) {
      if (key.pool().equals(copy.pool())) {
        own.put(key, new HoldingSite(key.memory(), key.site(), LiveEstimate.NOTHING));
      }
    }
    for (Ranked ranked : ranking) {
      SiteKey key = ranked.key();
      if (!key.pool().equals(copy.pool())) {
        continue;
      }
      if (own.containsKey(key)) {
        own.put(key, new HoldingSite(key.memory(), key.site(), ranked.live()));
      } else {
        rest.computeIfAbsent(key.memory(), memory -> new EstimateSum()).add(ranked.live());
      }
    }
    List<HoldingSite> series = new ArrayList<>(own.values());
    rest.forEach((memory, sum) -> series.add(new HoldingSite(memory, SiteLabel.OTHER, sum.sum())));
    return series;
  }
}
