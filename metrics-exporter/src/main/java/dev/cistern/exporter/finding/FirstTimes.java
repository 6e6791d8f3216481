/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The time since when each finding lasts. A rule knows it only from figures of the last minutes, so
 * that the time which it gives moves on; the first one counts.
 */
final class FirstTimes {
  /** Figures with their units. A text differs between two conclusions only in these. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9][0-9.,]*( ([KMGT]i)?B)?");

  private Map<String, Long> times = new HashMap<>();

  /** Returns findings with their first times, and forgets those of other findings. */
  List<Finding> keep(List<Finding> findings) {
    Map<String, Long> kept = new HashMap<>();
    List<Finding> all = new ArrayList<>();
    for (Finding finding : findings) {
      if (finding.sinceMillis() == 0) { // not known
        all.add(finding);
        continue;
      }
      String words = NUMBERS.matcher(finding.what()).replaceAll("");
      String key = finding.kind() + " " + words; // the site or the limit is among the words
      long first = Math.min(finding.sinceMillis(), times.getOrDefault(key, Long.MAX_VALUE));
      kept.put(key, first);
      all.add(finding.since(first));
    }
    times = kept;
    return all;
  }
}
