/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * Rule for faults of Cistern itself, failed allocations, and fallback allocations by Netty.
 *
 * <p>Reason: the pools count them since their start.
 */
final class FaultsRule implements Rule {
  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (PoolReport copy : facts.report().copies()) {
      if (copy.failures() > 0) {
        found.add(
            finding(
                Kind.FAULTS,
                Level.WARNING,
                "Cistern's pool of "
                    + copy.pool()
                    + " had "
                    + TextFormat.count(copy.failures(), "fault"),
                "each left one allocation to Netty",
                "read the log of the process and report the fault"));
      } else if (copy.fellBack() > 0) {
        found.add(
            finding(
                Kind.FALLBACKS,
                Level.NOTICE,
                TextFormat.count(copy.fellBack(), "allocation")
                    + " of "
                    + copy.pool()
                    + " were left to Netty",
                "memory was short",
                "look at the highest point of the chart"));
      }
    }
    long failed = facts.series().failed.all();
    if (failed > 0) {
      boolean isRecent = facts.series().failed.recent() > 0;
      found.add(
          finding(
              Kind.FAILED_ALLOCATIONS,
              isRecent ? Level.WARNING : Level.NOTICE,
              TextFormat.count(failed, "allocation") + " failed since the start",
              "memory was short",
              "look at the highest point of the chart, and at its sites"));
    }
    return found;
  }

  private static Finding finding(Kind kind, Level level, String what, String why, String next) {
    return new Finding(
        kind, level, Confidence.HIGH, 0, 0, what, List.of("certain: counted", why), next, "");
  }
}
