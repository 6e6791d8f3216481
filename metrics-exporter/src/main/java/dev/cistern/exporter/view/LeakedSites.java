/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Leaks by site. */
final class LeakedSites {
  private LeakedSites() {}

  /** Returns one entry for all stacks of a site, those with the most bytes first. */
  static List<LeakEntry> of(LeakReport leaks) {
    Map<List<String>, LeakEntry> sites = new LinkedHashMap<>();
    for (LeakEntry entry : leaks.entries()) {
      sites.merge(List.of(entry.memory(), entry.site()), entry, LeakEntry::plus);
    }
    return sites.values().stream().sorted(LeaksText.LARGEST_FIRST).toList();
  }
}
