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
 * The time since when each finding lasts. A rule derives the time from figures of the last minutes
 * only, so that its result moves forward. Therefore the first time of a finding is kept.
 */
final class FirstTimes {
  /**
   * Figures with their units. They are the only difference between the texts of a finding in two
   * conclusions.
   */
  private static final Pattern NUMBERS = Pattern.compile("[0-9][0-9.,]*( ([KMGT]i)?B)?");

  private Map<String, Long> times = new HashMap<>();

  /**
   * Returns findings with their first times, and forgets the times of findings that are not in the
   * list.
   */
  List<Finding> keep(List<Finding> findings) {
    Map<String, Long> kept = new HashMap<>();
    List<Finding> all = new ArrayList<>();
    for (Finding finding : findings) {
      if (finding.sinceMillis() == 0) { // not known
        all.add(finding);
        continue;
      }
      String words = NUMBERS.matcher(finding.what()).replaceAll("");
      String key = finding.kind() + " " + words; // the words contain the site or the limit
      long first = Math.min(finding.sinceMillis(), times.getOrDefault(key, Long.MAX_VALUE));
      kept.put(key, first);
      all.add(finding.since(first));
    }
    times = kept;
    return all;
  }
}
