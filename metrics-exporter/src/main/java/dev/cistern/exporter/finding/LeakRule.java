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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Rule for buffers that were never released.
 *
 * <p>Reason: the garbage collector took a buffer object that was not released. No code can release
 * it any more, so that its memory is certainly lost.
 */
final class LeakRule implements Rule {
  /** Minimum size of a leak that does not continue. A smaller one needs no action now. */
  private static final long LARGE_BYTES = 64L << 20;

  private static final long RECENT_MILLIS = TimeUnit.MINUTES.toMillis(10);

  @Override
  public List<Finding> find(Facts facts) {
    Map<String, LeakEntry> sites = new LinkedHashMap<>();
    List<LeakEntry> others = new ArrayList<>();
    for (PoolReport copy : facts.report().copies()) {
      for (LeakEntry entry : copy.leaks().entries()) {
        sites.merge(entry.memory() + ' ' + entry.site(), entry, LeakEntry::plus);
      }
      others.addAll(copy.leaks().others()); // sums of sites that were not kept
    }
    List<LeakEntry> largest = new ArrayList<>(sites.values());
    largest.sort(Comparator.comparingLong(LeakEntry::bytes).reversed());
    largest.addAll(others);
    return largest.isEmpty() ? List.of() : List.of(finding(facts, largest));
  }

  /** Returns the finding. The first site has the most bytes of the kept sites. */
  private static Finding finding(Facts facts, List<LeakEntry> sites) {
    LeakEntry first = sites.get(0);
    long now = facts.report().timeMillis();
    boolean isRecent = sites.stream().anyMatch(site -> now - site.lastSeenMillis() < RECENT_MILLIS);
    long bytes = sites.stream().mapToLong(LeakEntry::bytes).sum();
    List<String> evidence = new ArrayList<>();
    evidence.add(
        "certain: the garbage collector found " + TextFormat.count(first.found(), "such buffer"));
    evidence.add(
        "an estimated "
            + TextFormat.count(first.buffers(), "buffer")
            + " with "
            + TextFormat.bytes(first.bytes())
            + " of "
            + first.memory()
            + " memory, the last "
            + TextFormat.duration(facts.report().timeMillis() - first.lastSeenMillis())
            + " ago");
    if (sites.size() > 1) {
      evidence.add(TextFormat.count(sites.size() - 1L, "other site") + " leaked less");
    }
    return new Finding(
        Kind.LEAK,
        bytes >= LARGE_BYTES || isRecent ? Level.WARNING : Level.NOTICE,
        Confidence.HIGH,
        bytes,
        first.firstSeenMillis(),
        "Buffers of "
            + first.site()
            + " were never released: "
            + TextFormat.bytes(first.bytes())
            + " of "
            + first.memory()
            + " memory",
        evidence,
        "find the path from this site that does not release the buffer; 'Held by' names its last"
            + " holder, if one is known",
        first.site());
  }
}
