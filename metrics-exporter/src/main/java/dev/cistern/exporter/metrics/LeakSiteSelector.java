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
 * The leak sites of a pool that get series of their own; the rest is counted as {@link
 * SiteLabel#OTHER}.
 *
 * <p>The store of leaks decides which sites these are, and which of their leaks belong to their
 * series ({@link RankedLeaks}). So the process itself, its sidecar, and a sidecar that has just
 * been started show the same, and none of them has to remember anything.
 */
public final class LeakSiteSelector {
  private LeakSiteSelector() {}

  /** One series to show: the leaks of one site, or of all the rest. */
  public record Series(String memory, String site, long leaks, long bytes, LatestLeak latest) {
    Series plus(Series other) {
      return new Series(
          memory, site, leaks + other.leaks, bytes + other.bytes, latest.or(other.latest));
    }

    /** The rest, without what is named. No more than there is: a hostile host can say so. */
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
   * Returns the series of a pool: its named sites, and the rest for each kind of memory.
   *
   * @param limit sites that get a series of their own
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
      if (named.size() < limit || named.containsKey(key)) { // a file may have too many
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

  /** Makes a leak the latest of a series if it is; returns whether there is this series. */
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
