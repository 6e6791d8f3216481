/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import org.jspecify.annotations.Nullable;

/**
 * What an exporter can be told.
 *
 * @param leakSites leak sites that get series of their own; 0 to {@link
 *     CisternCollector#MAX_LEAK_SITES}
 * @param liveSites live sites that get series of their own; 0 to {@link
 *     CisternCollector#MAX_LIVE_SITES}
 * @param dump what {@code POST /debug/dump} has written; null if there is no such page
 */
public record ExporterOptions(int leakSites, int liveSites, @Nullable DiagnosticsDump dump) {
  /** The default numbers of sites, and no dump. */
  public static final ExporterOptions DEFAULT =
      new ExporterOptions(
          CisternCollector.DEFAULT_LEAK_SITES, CisternCollector.DEFAULT_LIVE_SITES, null);

  /**
   * @throws IllegalArgumentException if a number of sites is out of its range
   */
  public ExporterOptions {
    SeriesBudget.check("leakSites", leakSites, CisternCollector.MAX_LEAK_SITES);
    SeriesBudget.check("liveSites", liveSites, CisternCollector.MAX_LIVE_SITES);
  }

  /** These options with another dump. */
  public ExporterOptions withDump(DiagnosticsDump newDump) {
    return new ExporterOptions(leakSites, liveSites, newDump);
  }
}
