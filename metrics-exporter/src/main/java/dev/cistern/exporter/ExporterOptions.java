/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.ExporterState;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of an endpoint.
 *
 * @param series options for the series of a process
 * @param dump writer for the dumps of {@code POST /debug/dump}; null if there is no such page
 * @param webConfig access control and TLS of the endpoint; null for access without login and TLS
 * @param figures adds figures of components beside the exporter, such as a {@code Push}
 */
public record ExporterOptions(
    SeriesOptions series,
    @Nullable DiagnosticsDump dump,
    @Nullable WebConfigFrom webConfig,
    ExporterState.Source figures) {
  /** Options with the default series and without a dump. */
  public static final ExporterOptions DEFAULT =
      new ExporterOptions(SeriesOptions.DEFAULT, null, null, state -> {});

  /**
   * Location of a Prometheus web configuration.
   *
   * @param file path of the configuration file
   * @param log takes one line for each version that cannot be used
   */
  public record WebConfigFrom(Path file, Consumer<String> log) {}

  /** Returns these options with other series. */
  public ExporterOptions withSeries(SeriesOptions newSeries) {
    return new ExporterOptions(newSeries, dump, webConfig, figures);
  }

  /** Returns these options with another dump. */
  public ExporterOptions withDump(@Nullable DiagnosticsDump newDump) {
    return new ExporterOptions(series, newDump, webConfig, figures);
  }

  /**
   * Returns these options with a Prometheus web configuration file. A change of the file takes
   * effect without a restart.
   *
   * @param log takes one line for each version that cannot be used
   */
  public ExporterOptions withWebConfig(Path file, Consumer<String> log) {
    return new ExporterOptions(series, dump, new WebConfigFrom(file, log), figures);
  }

  /**
   * Returns these options with figures of components beside the exporter, such as a {@code Push}.
   */
  public ExporterOptions withFigures(ExporterState.Source newFigures) {
    return new ExporterOptions(series, dump, webConfig, newFigures);
  }
}
