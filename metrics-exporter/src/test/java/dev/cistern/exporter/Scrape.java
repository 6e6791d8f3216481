/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cistern.exporter.http.EndpointFigures;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.page.ControlPage;
import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PushFigures;
import dev.cistern.exporter.report.SiteStyle;
import dev.cistern.exporter.schema.Detail;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of a scrape of a source. */
public final class Scrape {
  private Scrape() {}

  /** Returns a collector that shows every metric, and more series than by default. */
  public static CisternCollector everything() {
    EndpointFigures figures = new EndpointFigures();
    return new CisternCollector(
        Hosts.of(Reports::everything),
        SeriesOptions.DEFAULT.withDetail(Detail.ALL).withSeriesLimit(1_000),
        to -> {
          to.set(ExporterFigures.SIDECAR_FILES_REFUSED, 1);
          to.set(ExporterFigures.SIDECAR_FAILURES, 2);
          to.set(ExporterFigures.SIDECAR_POSTMORTEMS, 3);
          to.set(ExporterFigures.SIDECAR_POSTMORTEM_BYTES, 4_096);
          to.set(ExporterFigures.SIDECAR_POSTMORTEMS_REMOVED, 1);
          figures.addTo(to);
          new ControlPage(List::of, null, false).addTo(to);
          to.add("pyroscope", new PushFigures(9, 90_000, 3, 2, Reports.NOON_MILLIS));
          to.set(ExporterFigures.DUMPS, 4);
          to.set(ExporterFigures.DUMP_FAILURES, 0);
          to.set(ExporterFigures.DUMPS_SKIPPED, 1);
          to.set(ExporterFigures.DUMPS_REMOVED, 2);
          to.set(ExporterFigures.WEB_CONFIG_RELOAD_FAILURES, 0);
          to.set(ExporterFigures.WEB_CONFIG_LOAD_TIME, Reports.NOON_MILLIS);
          to.set(ExporterFigures.WEB_CERTIFICATE_EXPIRY, Reports.NOON_MILLIS);
        });
  }

  /** Returns the scrape in the text format 0.0.4. */
  static String text(CisternCollector collector) {
    return write(PrometheusTextFormatWriter.create(), collector, SiteStyle.NAMES);
  }

  /** Returns the scrape in OpenMetrics 1.0.0. */
  static String openMetrics(CisternCollector collector) {
    return openMetrics(collector, SiteStyle.NAMES);
  }

  /** Returns the scrape in OpenMetrics for clients that see sites in this style. */
  static String openMetrics(CisternCollector collector, SiteStyle style) {
    return write(OpenMetricsTextFormatWriter.create(), collector, style);
  }

  /** Returns series with their values, and with their labels except those of the host. */
  static Map<String, Double> series(CisternCollector collector) {
    Map<String, Double> series = new LinkedHashMap<>();
    fullSeries(collector)
        .forEach((name, value) -> assertNull(series.put(withoutHost(name), value), name));
    return series;
  }

  private static String withoutHost(String name) {
    return name.replaceFirst("application=\"[^\"]*\",?", "")
        .replaceFirst("host_id=\"[^\"]*\",?", "")
        .replace(",}", "}")
        .replace("{}", "");
  }

  /** Returns series with all their labels, and their values. */
  static Map<String, Double> fullSeries(CisternCollector collector) {
    Map<String, Double> series = new LinkedHashMap<>();
    text(collector)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              series.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            });
    return series;
  }

  private static String write(
      ExpositionFormatWriter writer, CisternCollector collector, SiteStyle style) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      writer.write(
          out, collector.collect(style, collector.detail()), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
