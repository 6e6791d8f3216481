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
 * @param series which series a process has
 * @param dump what {@code POST /debug/dump} has written; null if there is no such page
 * @param webConfig who may use the endpoint, and whether by TLS; null for everyone, without TLS
 * @param figures adds figures of what runs beside the exporter, such as a {@code Push}
 */
public record ExporterOptions(
    SeriesOptions series,
    @Nullable DiagnosticsDump dump,
    @Nullable WebConfigFrom webConfig,
    ExporterState.Source figures) {
  /** The default series, and no dump. */
  public static final ExporterOptions DEFAULT =
      new ExporterOptions(SeriesOptions.DEFAULT, null, null, state -> {});

  /**
   * A Prometheus web configuration.
   *
   * @param file where it is
   * @param log takes one line for each version that cannot be used
   */
  public record WebConfigFrom(Path file, Consumer<String> log) {}

  /** These options with other series. */
  public ExporterOptions withSeries(SeriesOptions newSeries) {
    return new ExporterOptions(newSeries, dump, webConfig, figures);
  }

  /** These options with another dump. */
  public ExporterOptions withDump(@Nullable DiagnosticsDump newDump) {
    return new ExporterOptions(series, newDump, webConfig, figures);
  }

  /**
   * These options with a Prometheus web configuration file, which is read again when it changes.
   *
   * @param log takes one line for each version that cannot be used
   */
  public ExporterOptions withWebConfig(Path file, Consumer<String> log) {
    return new ExporterOptions(series, dump, new WebConfigFrom(file, log), figures);
  }

  /** These options with figures of what runs beside the exporter, such as a {@code Push}. */
  public ExporterOptions withFigures(ExporterState.Source newFigures) {
    return new ExporterOptions(series, dump, webConfig, newFigures);
  }
}
