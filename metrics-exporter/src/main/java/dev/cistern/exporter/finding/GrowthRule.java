/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LiveSite;
import dev.cistern.leak.report.SiteTrend;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Rule for a site whose old bytes grow.
 *
 * <p>Reason: the number of buffers older than ten seconds increases by more than chance explains.
 * The application still holds them. A cache that fills looks the same, so that the finding is of
 * low confidence until it has lasted longer than caches take to fill.
 */
final class GrowthRule implements Rule {
  /** Maximum age of a leak of a site. The rule for leaks already reports such a site. */
  private static final long RECENT_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private static final long LASTING_MILLIS = TimeUnit.MINUTES.toMillis(20);

  @Override
  public List<Finding> find(Facts facts) {
    List<LiveSite> suspects = new ArrayList<>();
    for (PoolReport copy : facts.report().copies()) {
      Set<String> leaked = new HashSet<>();
      for (LeakEntry entry : copy.leaks().entries()) {
        if (facts.report().timeMillis() - entry.lastSeenMillis() < RECENT_MILLIS) {
          leaked.add(entry.site());
        }
      }
      for (LiveSite site : copy.live().sites()) {
        if (site.trend().isSuspect() && !leaked.contains(site.site())) {
          suspects.add(site);
        }
      }
    }
    suspects.sort(Comparator.comparingDouble((LiveSite site) -> site.live().bytes()).reversed());
    return suspects.isEmpty() ? List.of() : List.of(finding(facts, suspects));
  }

  /** Returns whether a site has grown for longer than caches take to fill. */
  static boolean isLasting(Facts facts, SiteTrend trend) {
    long growing = facts.report().timeMillis() - trend.suspectSinceMillis();
    return trend.isSuspect() && growing >= LASTING_MILLIS;
  }

  private static Finding finding(Facts facts, List<LiveSite> suspects) {
    LiveSite first = suspects.get(0);
    long since = first.trend().suspectSinceMillis();
    boolean isLasting = isLasting(facts, first.trend());
    List<String> evidence = new ArrayList<>();
    evidence.add(
        TextFormat.bytes(first.live().bytes())
            + " now, "
            + TextFormat.change(first.trend().minuteBytes())
            + " in 1 minute, "
            + TextFormat.change(first.trend().fiveMinutesBytes())
            + " in 5 minutes");
    evidence.add(
        "estimated from "
            + TextFormat.count(first.live().samples(), "sample")
            + ", standard error "
            + TextFormat.bytes(first.live().bytesError()));
    if (suspects.size() > 1) {
      evidence.add(TextFormat.count(suspects.size() - 1L, "other site") + " grows as well");
    }
    return new Finding(
        Kind.GROWTH,
        isLasting ? Level.WARNING : Level.NOTICE,
        isLasting ? Confidence.MEDIUM : Confidence.LOW,
        Math.round(first.live().bytes()),
        since,
        "Memory of " + first.site() + " grows: " + TextFormat.bytes(first.live().bytes()) + " now",
        evidence,
        "read the stack of this site; a cache that fills up looks the same and ends by itself",
        first.site());
  }
}
