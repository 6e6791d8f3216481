/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an exporter can be told.
 *
 * @param leakSites leak sites that get series of their own; 0 to {@link
 *     CisternCollector#MAX_LEAK_SITES}
 * @param liveSites live sites that get series of their own; 0 to {@link
 *     CisternCollector#MAX_LIVE_SITES}
 * @param detail what is shown of single arenas and size classes
 * @param seriesLimit series that a host may have, {@link #MIN_SERIES} to {@link #MAX_SERIES}, or 0
 *     for {@link #DEFAULT_SERIES}, with detail {@link #DEFAULT_SERIES_WITH_DETAIL}; what does not
 *     fit is left out and counted
 * @param dump what {@code POST /debug/dump} has written; null if there is no such page
 * @param webConfig who may use the endpoint, and whether by TLS; null for everyone, without TLS
 */
public record ExporterOptions(
    int leakSites,
    int liveSites,
    Detail detail,
    int seriesLimit,
    @Nullable DiagnosticsDump dump,
    @Nullable WebConfigFrom webConfig) {
  /**
   * A Prometheus web configuration.
   *
   * @param file where it is
   * @param log takes one line for each version that cannot be used
   */
  public record WebConfigFrom(Path file, Consumer<String> log) {}

  /** Series that a host has at most, unless detail is asked for. */
  public static final int DEFAULT_SERIES = SeriesBudget.SERIES;

  /** Series that a host has at most by default where detail is asked for. */
  public static final int DEFAULT_SERIES_WITH_DETAIL = 5_000;

  /** The least limit of series: leaks and live sites alone need as many. */
  public static final int MIN_SERIES = 300;

  /** The largest limit of series. */
  public static final int MAX_SERIES = 100_000;

  /** The default numbers of sites, no detail, and no dump. */
  public static final ExporterOptions DEFAULT =
      new ExporterOptions(
          CisternCollector.DEFAULT_LEAK_SITES,
          CisternCollector.DEFAULT_LIVE_SITES,
          Detail.NONE,
          0,
          null,
          null);

  /**
   * @throws IllegalArgumentException if a number of sites or the limit is out of its range
   */
  public ExporterOptions {
    SeriesBudget.check("leakSites", leakSites, CisternCollector.MAX_LEAK_SITES);
    SeriesBudget.check("liveSites", liveSites, CisternCollector.MAX_LIVE_SITES);
    if (seriesLimit != 0 && (seriesLimit < MIN_SERIES || seriesLimit > MAX_SERIES)) {
      throw new IllegalArgumentException(
          "seriesLimit: "
              + seriesLimit
              + " (expected: "
              + MIN_SERIES
              + " to "
              + MAX_SERIES
              + " series of a host)");
    }
  }

  /** The limit in force. */
  int seriesAtMost() {
    if (seriesLimit != 0) {
      return seriesLimit;
    }
    return detail == Detail.NONE ? DEFAULT_SERIES : DEFAULT_SERIES_WITH_DETAIL;
  }

  /** These options with other numbers of sites. */
  public ExporterOptions withSites(int newLeakSites, int newLiveSites) {
    return new ExporterOptions(newLeakSites, newLiveSites, detail, seriesLimit, dump, webConfig);
  }

  /** These options with another detail. */
  public ExporterOptions withDetail(Detail newDetail) {
    return new ExporterOptions(leakSites, liveSites, newDetail, seriesLimit, dump, webConfig);
  }

  /** These options with another limit of series. */
  public ExporterOptions withSeriesLimit(int newSeriesLimit) {
    return new ExporterOptions(leakSites, liveSites, detail, newSeriesLimit, dump, webConfig);
  }

  /** These options with another dump. */
  public ExporterOptions withDump(@Nullable DiagnosticsDump newDump) {
    return new ExporterOptions(leakSites, liveSites, detail, seriesLimit, newDump, webConfig);
  }

  /**
   * These options with a Prometheus web configuration file, which is read again when it changes.
   *
   * @param log takes one line for each version that cannot be used
   */
  public ExporterOptions withWebConfig(Path file, Consumer<String> log) {
    return new ExporterOptions(
        leakSites, liveSites, detail, seriesLimit, dump, new WebConfigFrom(file, log));
  }
}
