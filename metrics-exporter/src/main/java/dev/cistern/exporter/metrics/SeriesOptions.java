/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.leak.report.LeakReport;
import java.util.Set;

/**
 * Which series a process has.
 *
 * @param leakSites leak sites that get series of their own; 0 to {@link #MAX_SITES}. Several pools
 *     of a process share them equally, rounded up
 * @param liveSites live sites that get series of their own; 0 to {@link #MAX_SITES}
 * @param detail groups of figures that are exported
 * @param seriesLimit series that a process may have, {@link #MIN_SERIES} to {@link #MAX_SERIES};
 *     groups of figures that are exported on request only may have 5,000 if it is lower. What does
 *     not fit is left out and counted
 */
public record SeriesOptions(int leakSites, int liveSites, Set<Detail> detail, int seriesLimit) {
  /** Sites of either kind with series of their own by default. */
  public static final int DEFAULT_SITES = 5;

  /** Most sites of either kind that can have series of their own. */
  public static final int MAX_SITES = LeakReport.PLACES;

  /** Series of a process by default, with those of its exporter. */
  public static final int DEFAULT_SERIES = 200;

  /** Smallest limit of series. */
  public static final int MIN_SERIES = 100;

  /** Largest limit of series. */
  public static final int MAX_SERIES = 100_000;

  /** The default numbers of sites, and no detail. */
  public static final SeriesOptions DEFAULT =
      new SeriesOptions(DEFAULT_SITES, DEFAULT_SITES, Detail.DEFAULT, DEFAULT_SERIES);

  /**
   * Copies the set.
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

  /** These options with other numbers of sites. */
  public SeriesOptions withSites(int newLeakSites, int newLiveSites) {
    return new SeriesOptions(newLeakSites, newLiveSites, detail, seriesLimit);
  }

  /** These options with another detail. */
  public SeriesOptions withDetail(Set<Detail> newDetail) {
    return new SeriesOptions(leakSites, liveSites, newDetail, seriesLimit);
  }

  /** These options with another limit of series. */
  public SeriesOptions withSeriesLimit(int newSeriesLimit) {
    return new SeriesOptions(leakSites, liveSites, detail, newSeriesLimit);
  }
}
