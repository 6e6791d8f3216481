/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cistern.exporter.web.TestKeys;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/metrics.md and a scrape list the same metrics. */
class CatalogueTest {
  /** Series of the exporter itself that a collector has without a server. */
  private static final int OWN_OF_COLLECTOR = 6;

  private static final Map<String, String> SUFFIXES = Map.of("counter", "_total", "info", "_info");

  /** What a scrape really shows, in the form of the document's rows. */
  private static Map<String, Catalogue.Row> scraped() {
    Map<String, String> types = new TreeMap<>();
    Map<String, String> units = new TreeMap<>();
    Map<String, Set<String>> labels = new TreeMap<>();
    for (MetricSnapshot snapshot : Scrape.everything().collect()) {
      String name = snapshot.getMetadata().getPrometheusName();
      units.put(
          name, snapshot.getMetadata().hasUnit() ? snapshot.getMetadata().getUnit() + "" : "");
      Set<String> names = new TreeSet<>();
      snapshot
          .getDataPoints()
          .forEach(p -> p.getLabels().stream().map(Label::getName).forEach(names::add));
      if (names.contains("host_id")) { // said once, above the tables
        names.removeAll(Set.of("host_id", "application"));
      }
      labels.put(name, names);
    }
    Map<String, Catalogue.Row> rows = new TreeMap<>();
    Scrape.openMetrics(Scrape.everything())
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .forEach(
            line -> {
              String[] words = line.split(" ", -1);
              types.put(words[2], words[3]);
            });
    types.forEach(
        (family, type) -> {
          String suffix = SUFFIXES.getOrDefault(type, "");
          rows.put(
              family + suffix,
              new Catalogue.Row(
                  type, units.getOrDefault(family, ""), labels.getOrDefault(family, Set.of()), ""));
        });
    return rows;
  }

  @Test
  void theDocumentAndAScrapeListTheSameMetrics() {
    Map<String, Catalogue.Row> documented = new TreeMap<>();
    Catalogue.rows()
        .forEach(
            (name, row) ->
                documented.put(name, new Catalogue.Row(row.type(), row.unit(), row.labels(), "")));
    assertEquals(lines(scraped()), lines(documented));
  }

  private static String lines(Map<String, Catalogue.Row> rows) {
    StringBuilder lines = new StringBuilder();
    rows.forEach((name, row) -> lines.append(name).append(' ').append(row).append('\n'));
    return lines.toString();
  }

  @Test
  void everyMetricIsExplained() {
    Catalogue.rows().forEach((name, row) -> assertFalse(row.meaning().isEmpty(), name));
  }

  @Test
  void theStatedNumberOfSeriesIsTheRealOne() {
    int leakSites = 2;
    int liveSites = 3;
    int unlimitedHeaps = 1;
    int stated = 18 + 125 + 2 * leakSites + 5 * liveSites;
    assertEquals(
        stated - unlimitedHeaps, Scrape.series(new CisternCollector(Reports::host)).size());
  }

  @Test
  void theStatedNumberOfSeriesOfAnObservedCopyIsTheRealOne() {
    int instances = 8;
    int both = 2 * 2;
    CopyReport copy =
        new CopyReport(
            "io.netty",
            "",
            "observe",
            "",
            List.of(),
            0,
            0,
            0,
            Reports.leaks(List.of()),
            Reports.live(List.of(), List.of()),
            Reports.netty(20));
    int adaptive = 2 * (instances / 3);
    int sites = 2 * (2 + 5); // those of "other", for each kind of memory
    assertEquals(
        18 + 61 + both * (instances + 1) - adaptive + sites,
        Scrape.series(new CisternCollector(() -> Reports.host(copy))).size());
  }

  /** Of a real scrape, without what the process and its pool have. */
  @Test
  void theStatedNumberOfSeriesOfTheExporterItselfIsTheRealOne(@TempDir Path directory)
      throws Exception {
    Matcher stated =
        Pattern.compile("there are (\\d+) in a\\s+process of its own, and (\\d+) with a web")
            .matcher(Files.readString(Path.of("../docs/metrics.md")));
    assertTrue(stated.find());
    int ofHost = Scrape.series(new CisternCollector(Reports::host)).size() - OWN_OF_COLLECTOR;
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", Reports::host)) {
      assertEquals(
          Integer.parseInt(stated.group(1)), series(RawHttp.plain(server.port())) - ofHost);
    }
    TestKeys keys = new TestKeys(directory).authority("ca").signed("server", "ca");
    Path file =
        Files.writeString(
            directory.resolve("web.yml"),
            "tls_server_config: {cert_file: server.crt, key_file: server.key}\n");
    try (ExporterServer server =
        ExporterServer.start(
            "127.0.0.1:0",
            Reports::host,
            ExporterOptions.DEFAULT.withWebConfig(file, line -> {}))) {
      RawHttp client = RawHttp.tls(server.port(), keys, "ca", null);
      assertEquals(Integer.parseInt(stated.group(2)), series(client) - ofHost);
    }
  }

  private static int series(RawHttp client) throws Exception {
    String body = client.get("/metrics").split("\r\n\r\n", 2)[1];
    return (int) body.lines().filter(line -> !line.startsWith("#") && !line.isEmpty()).count();
  }
}
