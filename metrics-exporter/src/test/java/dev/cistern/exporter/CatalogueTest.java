/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** docs/metrics.md and a scrape list the same metrics. */
class CatalogueTest {
  private static final Map<String, String> SUFFIXES = Map.of("counter", "_total", "info", "_info");

  /** Returns the metrics of a real scrape in the form of the document's rows. */
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
      names.removeAll(Set.of("host_id", "application")); // once, above the tables
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
}
