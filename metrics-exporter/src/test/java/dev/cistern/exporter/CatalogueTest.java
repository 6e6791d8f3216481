/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** docs/metrics.md and a scrape list the same metrics. */
class CatalogueTest {
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
    int stated = 17 + 122 + 2 * leakSites + 5 * liveSites;
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
        17 + 60 + both * (instances + 1) - adaptive + sites,
        Scrape.series(new CisternCollector(() -> Reports.host(copy))).size());
  }
}
