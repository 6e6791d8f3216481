/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.exporter.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Conventions for all queries of a dashboard. */
final class QueryConventions {
  private static final List<String> MATCHERS = List.of("job=~\"$job\"", "instance=~\"$instance\"");
  private static final String HOST_MATCHER = "host_id=~\"$host\"";

  /** Metrics of the exporter on the dashboard of one JVM: their series belong to no process. */
  private static final Set<String> OF_EXPORTER = Set.of("cistern_series_dropped");

  private final List<Finding> findings = new ArrayList<>();
  private final boolean isOfOneHost;

  private QueryConventions(Dashboard dashboard) {
    this.isOfOneHost =
        dashboard.variables().stream().anyMatch(v -> "host".equals(v.getString("name")));
  }

  static List<Finding> check(Dashboard dashboard) {
    QueryConventions conventions = new QueryConventions(dashboard);
    dashboard.queries().forEach(conventions::checkPanelQuery);
    dashboard.variableQueries().forEach(conventions::checkMetrics);
    for (Dashboard.Query annotation : dashboard.annotationQueries()) {
      conventions.checkMetrics(annotation);
      conventions.checkMatchers(annotation, MATCHERS);
    }
    return conventions.findings;
  }

  private void checkPanelQuery(Dashboard.Query query) {
    checkMetrics(query);
    checkMatchers(query, MATCHERS);
    if (isOfOneHost) {
      checkMatchers(query, List.of(HOST_MATCHER));
    }
    if (query.expression().replace("[$__rate_interval]", "").contains("[")) {
      add(query, "rate-interval", "a range other than $__rate_interval: " + query.expression());
    }
    for (String label : query.legendLabels()) {
      if (!new Expression(query.expression()).resultLabels().contains(label)) {
        add(query, "legend", "{{" + label + "}} is no label of: " + query.expression());
      }
    }
  }

  private void checkMetrics(Dashboard.Query query) {
    for (String metric : new Expression(query.expression()).metrics()) {
      if (!Catalogue.rows().containsKey(metric)) {
        add(query, "metric-exists", metric + " is not in docs/metrics.md");
      }
    }
    for (String name : new Expression(query.expression()).records()) {
      add(query, "metric-exists", name + " is recorded, and dashboards do without rules");
    }
  }

  private void checkMatchers(Dashboard.Query query, List<String> needed) {
    for (Expression.Selector selector : new Expression(query.expression()).selectors()) {
      for (String matcher : needed) {
        boolean isNeeded = needed.size() > 1 || !OF_EXPORTER.contains(selector.metric());
        if (isNeeded && !selector.matchers().contains(matcher)) {
          add(query, "matchers", selector.metric() + selector.matchers() + " lacks " + matcher);
        }
      }
    }
  }

  private void add(Dashboard.Query query, String rule, String problem) {
    findings.add(new Finding(query.file(), query.panel(), rule, problem));
  }
}
