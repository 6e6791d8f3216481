/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time since when each finding lasts. A rule knows it only from figures of the last minutes, so
 * that the time which it gives moves on; the first one counts.
 */
final class FirstTimes {
  private Map<String, Long> times = new HashMap<>();

  /** Returns findings with their first times, and forgets those of other findings. */
  List<Finding> keep(List<Finding> findings, long nowMillis) {
    Map<String, Long> kept = new HashMap<>();
    List<Finding> all = new ArrayList<>();
    for (Finding finding : findings) {
      String key = finding.kind() + " " + finding.site();
      long own = finding.sinceMillis() == 0 ? nowMillis : finding.sinceMillis();
      long first = Math.min(own, times.getOrDefault(key, own));
      kept.put(key, first);
      all.add(finding.since(first));
    }
    times = kept;
    return all;
  }
}
