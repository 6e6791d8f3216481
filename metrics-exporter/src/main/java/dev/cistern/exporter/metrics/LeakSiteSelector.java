/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LeakTotal;
import dev.cistern.leak.report.RankedLeaks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leak sites of a pool that have their own series. All other sites count as {@link
 * SiteLabel#OTHER}.
 *
 * <p>The store of leaks selects these sites, and the leaks that belong to their series ({@link
 * RankedLeaks}). So the process itself, its sidecar, and a restarted sidecar export the same series
 * without keeping state.
 */
public final class LeakSiteSelector {
  private LeakSiteSelector() {}

  /** One series: the leaks of one site, or of all other sites. */
  public record Series(String memory, String site, long leaks, long bytes, LatestLeak latest) {
    Series plus(Series other) {
      return new Series(
          memory, site, leaks + other.leaks, bytes + other.bytes, latest.or(other.latest));
    }

    /**
     * Returns the remainder without the leaks of a named site. It is not negative, even if a stats
     * file has wrong numbers.
     */
    Series minus(RankedLeaks named) {
      return new Series(
          memory,
          site,
          Math.max(0, leaks - named.found()),
          Math.max(0, bytes - named.bytes()),
          latest);
    }

    Series with(LatestLeak other) {
      return new Series(memory, site, leaks, bytes, other);
    }
  }

  /**
   * Returns the series of a pool: its named sites, and the remainder for each kind of memory.
   *
   * @param limit number of sites that have their own series
   */
  public static List<Series> of(CopyView copy, int limit) {
    LeakReport leaks = copy.leaks();
    Map<String, Series> rest = new LinkedHashMap<>();
    for (String memory : copy.memories()) {
      rest.put(memory, new Series(memory, SiteLabel.OTHER, 0, 0, LatestLeak.NONE));
    }
    for (LeakTotal total : leaks.totals()) {
      String memory = total.memory();
      rest.put(
          memory,
          new Series(memory, SiteLabel.OTHER, total.found(), total.bytes(), LatestLeak.NONE));
    }
    Map<List<String>, Series> named = new LinkedHashMap<>();
    for (RankedLeaks ranked : leaks.ranked()) {
      if (ranked.place() >= limit) {
        continue;
      }
      List<String> key = List.of(ranked.memory(), ranked.site());
      if (named.size() < limit || named.containsKey(key)) { // a wrong file may exceed the limit
        String memory = ranked.memory();
        String label = SiteLabel.of(ranked.site());
        named.merge(
            key,
            new Series(memory, label, ranked.found(), ranked.bytes(), LatestLeak.NONE),
            Series::plus);
        rest.computeIfPresent(memory, (of, others) -> others.minus(ranked));
      }
    }
    for (LeakEntry entry : leaks.entries()) {
      if (!addLatest(named, List.of(entry.memory(), entry.site()), entry)) {
        boolean unused = addLatest(rest, entry.memory(), entry);
      }
    }
    for (LeakEntry entry : leaks.others()) {
      boolean unused = addLatest(rest, entry.memory(), entry);
    }
    List<Series> series = new ArrayList<>(named.values());
    series.addAll(rest.values());
    return series;
  }

  /** Sets the latest leak of a series if a leak is later, and returns whether the series exists. */
  private static <K> boolean addLatest(Map<K, Series> to, K key, LeakEntry entry) {
    Series series = to.get(key);
    if (series == null) {
      return false;
    }
    if (entry.lastSeenMillis() > series.latest().foundMillis()) {
      to.put(key, series.with(LatestLeak.of(entry)));
    }
    return true;
  }
}
