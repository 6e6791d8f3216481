/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonObject;
import dev.cistern.exporter.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cost of queries for a fleet: no selector may read more samples than the default {@code
 * --query.max-samples} of Prometheus. The samples of a selector are its series for each JVM, times
 * JVMs, times points of the panel. A dashboard of one JVM reads the series of one JVM.
 */
final class CostConventions {
  static final long MAX_SAMPLES = 50_000_000;

  private static final long JVMS = 2_000;

  /** Points of a graph across a wide screen: Grafana requests a point for each pixel. */
  private static final long POINTS = 2_000;

  private static final String SITE = "site";

  /** Number of series of a JVM with one pool for each value of a label, as in docs/metrics.md. */
  private static final Map<String, Long> VALUES =
      Map.of(
          "memory",
          2L,
          "size_group",
          3L,
          "band",
          6L,
          "age",
          4L,
          SITE,
          7L,
          "allocator",
          8L,
          "arena",
          16L,
          "size",
          68L);

  private CostConventions() {}

  static List<Finding> check(Dashboard dashboard) {
    List<Finding> findings = new ArrayList<>();
    boolean isOfOneJvm = dashboard.file().equals("jvm.json");
    for (JsonObject panel : dashboard.panels()) {
      for (Dashboard.Query query : dashboard.queries(panel)) {
        for (Expression.Selector selector : new Expression(query.expression()).selectors()) {
          long samples = series(selector.metric()) * (isOfOneJvm ? 1 : JVMS) * points(panel);
          if (samples > MAX_SAMPLES) {
            String problem = selector.metric() + " reads " + samples + " samples of " + JVMS;
            findings.add(
                new Finding(
                    query.file(),
                    query.panel(),
                    "cost",
                    problem + " JVMs, more than " + MAX_SAMPLES + ": maxDataPoints limits them"));
          }
        }
      }
    }
    return findings;
  }

  private static long points(JsonObject panel) {
    boolean isOverTime = "timeseries".equals(panel.getString("type"));
    return isOverTime ? panel.getLong("maxDataPoints", POINTS) : 1;
  }

  /** Returns the series of a JVM. The number of sites covers all pools and both kinds of memory. */
  private static long series(String metric) {
    Catalogue.Row row = Catalogue.rows().get(metric);
    long series = 1;
    for (String label : row == null ? List.<String>of() : row.labels()) {
      boolean isCounted = label.equals("memory") && row.labels().contains(SITE);
      series *= isCounted ? 1 : VALUES.getOrDefault(label, 1L);
    }
    return series;
  }
}
