/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.leak.report.LeakReport;
import java.util.Set;

/**
 * Options for the series of a process.
 *
 * @param leakSites number of leak sites with their own series, 0 to {@link #MAX_SITES}. Several
 *     pools of a process share them equally, rounded up
 * @param liveSites number of live sites with their own series, 0 to {@link #MAX_SITES}
 * @param detail groups of figures that are exported
 * @param seriesLimit maximum number of series of a process, {@link #MIN_SERIES} to {@link
 *     #MAX_SERIES}. If it is lower than 5,000, it is 5,000 for groups of figures that are exported
 *     on request only. Series beyond the limit are left out and counted
 */
public record SeriesOptions(int leakSites, int liveSites, Set<Detail> detail, int seriesLimit) {
  /** Default number of sites of either kind with their own series. */
  public static final int DEFAULT_SITES = 5;

  /** Maximum number of sites of either kind with their own series. */
  public static final int MAX_SITES = LeakReport.PLACES;

  /** Default limit of series of a process, including those of its exporter. */
  public static final int DEFAULT_SERIES = 200;

  /** Smallest limit of series. */
  public static final int MIN_SERIES = 100;

  /** Largest limit of series. */
  public static final int MAX_SERIES = 100_000;

  /** Options with the default numbers of sites, and no detail. */
  public static final SeriesOptions DEFAULT =
      new SeriesOptions(DEFAULT_SITES, DEFAULT_SITES, Detail.DEFAULT, DEFAULT_SERIES);

  /**
   * Copies the set and validates the options.
   *
   * @throws IllegalArgumentException if a number of sites or the limit is out of its range
   */
  public SeriesOptions {
    check("leakSites", leakSites, 0, MAX_SITES);
    check("liveSites", liveSites, 0, MAX_SITES);
    check("seriesLimit", seriesLimit, MIN_SERIES, MAX_SERIES);
    detail = Set.copyOf(detail);
  }

  private static void check(String setting, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          setting + ": " + value + " (expected: " + min + " to " + max + ")");
    }
  }

  /** Returns these options with other numbers of sites. */
  public SeriesOptions withSites(int newLeakSites, int newLiveSites) {
    return new SeriesOptions(newLeakSites, newLiveSites, detail, seriesLimit);
  }

  /** Returns these options with another detail. */
  public SeriesOptions withDetail(Set<Detail> newDetail) {
    return new SeriesOptions(leakSites, liveSites, newDetail, seriesLimit);
  }

  /** Returns these options with another limit of series. */
  public SeriesOptions withSeriesLimit(int newSeriesLimit) {
    return new SeriesOptions(leakSites, liveSites, detail, newSeriesLimit);
  }
}
