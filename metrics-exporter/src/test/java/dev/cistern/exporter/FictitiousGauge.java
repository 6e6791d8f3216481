/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.micrometer.CisternMetrics;
import dev.cistern.exporter.micrometer.MicrometerOptions;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.view.DiagnosticsText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Declares an additional metric, and prints the places that show it. */
final class FictitiousGauge {
  private static final String NAME = "cistern_fictitious_bytes";
  private static final String HELP = "Current bytes of a pool that exists in a test only.";

  private FictitiousGauge() {}

  /**
   * Prints a line for each place.
   *
   * @param arguments a directory for a stats file
   */
  public static void main(String[] arguments) throws Exception {
    var unused = PoolFigures.POOL.gauge(899, NAME, pool -> 4_242).help(HELP);
    HostReport report = Reports.host();
    CisternCollector collector = new CisternCollector(() -> report);
    print("text", Scrape.text(collector).contains(NAME + "{"));
    print("openmetrics", Scrape.openMetrics(collector).contains("# UNIT " + NAME + " bytes"));
    print(
        "description",
        collector.getMetricFamilyDescriptors().stream()
            .anyMatch(family -> family.getPrometheusName().equals(NAME)));
    String otlp = new String(collector.encodeOtlp(), StandardCharsets.ISO_8859_1);
    print("otlp", otlp.contains("cistern_fictitious") && otlp.contains(HELP));
    HostView host = HostView.of(report);
    print("state", DiagnosticsText.state(host).contains("\"fictitious_bytes\":4242"));
    print("file", file(Path.of(arguments[0]), report).equals(host));
    print("catalogue", SchemaDocs.catalogue().contains("\"" + NAME + "\""));
    String table = "<!-- metrics of hosts.copies.pools -->\n<!-- end -->\n";
    print("docs", SchemaDocs.withTables(table).contains(NAME + "` | gauge | bytes |"));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (CisternMetrics metrics = new CisternMetrics(() -> report, MicrometerOptions.DEFAULT)) {
      metrics.bindTo(registry);
      print("meter", registry.get("cistern.fictitious").gauges().size() == 2);
    }
  }

  private static HostView file(Path directory, HostReport report) throws Exception {
    try (StatsFileWriter writer =
        StatsFileWriter.create(directory, report.host(), StatsFileWriter.MAX_BYTES, 1_000)) {
      writer.write(HostView.of(report));
      return new StatsFileReader().read(Files.readAllBytes(writer.path())).report();
    }
  }

  private static void print(String where, boolean isThere) {
    System.out.println(where + " " + List.of(isThere));
  }
}
