/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.LeakEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Chooses the leak sites that get a series of their own; the rest is counted as {@link
 * SiteLabel#OTHER}.
 *
 * <p>A choice is kept for as long as the site is reported: if a site could move between a series of
 * its own and the rest, one of the two counters would go back. Sites are chosen in the order in
 * which they were first seen, and equals by a hash of their name, so that the host itself and a
 * sidecar, also one that has just been started, choose the same.
 */
final class SiteNames {
  private static final Comparator<LeakedSite> ORDER =
      Comparator.comparingLong(LeakedSite::firstSeenMillis)
          .thenComparingInt(site -> SiteLabel.stableHash(site.key().site()))
          .thenComparing(site -> site.key().site());

  private final int limit;

  /** Guarded by this object's lock. */
  private final Set<SiteKey> named = new HashSet<>();

  private final Set<SiteKey> unnamed = new HashSet<>();

  private record LeakedSite(
      SiteKey key, long firstSeenMillis, long leaks, long bytes, LatestLeak latest) {
    LeakedSite as(SiteKey name) {
      return new LeakedSite(name, firstSeenMillis, leaks, bytes, latest);
    }

    LeakedSite plus(LeakedSite other) {
      return new LeakedSite(
          key,
          Math.min(firstSeenMillis, other.firstSeenMillis),
          leaks + other.leaks,
          bytes + other.bytes,
          latest.or(other.latest));
    }
  }

  /** One series to show: the leaks of one site, or of all the rest. */
  record Series(String memory, String site, long leaks, long bytes, LatestLeak latest) {
    Series plus(Series other) {
      return new Series(
          memory, site, leaks + other.leaks, bytes + other.bytes, latest.or(other.latest));
    }
  }

  /**
   * @param limit sites that get a series of their own, over all pools
   */
  SiteNames(int limit) {
    this.limit = limit;
  }

  /**
   * Returns the series of each pool: its named sites, and the rest for each kind of memory that the
   * pool has.
   */
  synchronized Map<String, List<Series>> choose(List<CopyReport> copies) {
    List<LeakedSite> sites = new ArrayList<>();
    copies.forEach(copy -> sites.addAll(sites(copy)));
    Set<SiteKey> present = new HashSet<>();
    sites.forEach(site -> present.add(site.key()));
    named.retainAll(present);
    unnamed.retainAll(present);
    sites.sort(ORDER);
    for (LeakedSite site : sites) {
      if (!named.contains(site.key()) && !unnamed.contains(site.key())) {
        (named.size() < limit ? named : unnamed).add(site.key());
      }
    }
    Map<String, List<Series>> chosen = new LinkedHashMap<>();
    copies.forEach(copy -> chosen.put(copy.pool(), series(copy, sites)));
    return chosen;
  }

  /**
   * Returns the series of one pool under other names. Those of the same name become one: which
   * sites have a series does not depend on names, so that their sum never goes back either.
   */
  static Collection<Series> styled(List<Series> series, UnaryOperator<String> style) {
    Map<List<String>, Series> styled = new LinkedHashMap<>();
    for (Series one : series) {
      String site = style.apply(one.site());
      styled.merge(
          List.of(one.memory(), site),
          new Series(one.memory(), site, one.leaks(), one.bytes(), one.latest()),
          Series::plus);
    }
    return styled.values();
  }

  private static List<LeakedSite> sites(CopyReport copy) {
    // A label may take a hash: it is made once for each site, and not for each of its stacks.
    Map<SiteKey, LeakedSite> raw = new LinkedHashMap<>();
    for (LeakEntry entry : copy.leaks().entries()) {
      SiteKey key = new SiteKey(copy.pool(), entry.memory(), entry.site());
      raw.merge(
          key,
          new LeakedSite(
              key, entry.firstSeenMillis(), entry.found(), entry.bytes(), LatestLeak.of(entry)),
          LeakedSite::plus);
    }
    Map<SiteKey, LeakedSite> sites = new LinkedHashMap<>();
    for (LeakedSite site : raw.values()) {
      SiteKey key = site.key();
      SiteKey label = new SiteKey(key.pool(), key.memory(), SiteLabel.of(key.site()));
      sites.merge(label, site.as(label), LeakedSite::plus);
    }
    return new ArrayList<>(sites.values());
  }

  private List<Series> series(CopyReport copy, List<LeakedSite> sites) {
    Map<String, Series> rest = new LinkedHashMap<>();
    for (String memory : LiveSites.memories(copy)) {
      rest.put(memory, new Series(memory, SiteLabel.OTHER, 0, 0, LatestLeak.NONE));
    }
    List<Series> series = new ArrayList<>();
    for (LeakedSite site : sites) {
      SiteKey key = site.key();
      if (!key.pool().equals(copy.pool())) {
        continue;
      }
      if (named.contains(key)) {
        series.add(new Series(key.memory(), key.site(), site.leaks(), site.bytes(), site.latest()));
      } else {
        rest.merge(
            key.memory(),
            new Series(key.memory(), SiteLabel.OTHER, site.leaks(), site.bytes(), site.latest()),
            Series::plus);
      }
    }
    series.addAll(rest.values());
    return series;
  }
}
