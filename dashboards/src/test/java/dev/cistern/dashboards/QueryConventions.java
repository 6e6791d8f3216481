/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.exporter.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What holds for everything that a dashboard asks Prometheus. */
final class QueryConventions {
  private static final List<String> MATCHERS = List.of("job=~\"$job\"", "instance=~\"$instance\"");
  private static final String HOST_MATCHER = "host_id=~\"$host\"";
  private static final Set<String> PROCESS = Set.of("host_id", "application");

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
    dashboard.variableExpressions().forEach(query -> conventions.checkCount(query, false));
    for (Dashboard.Query annotation : dashboard.annotationQueries()) {
      conventions.checkMetrics(annotation);
      conventions.checkMatchers(annotation, MATCHERS);
      conventions.checkCount(annotation, true);
    }
    return conventions.findings;
  }

  private void checkPanelQuery(Dashboard.Query query) {
    checkMetrics(query);
    checkMatchers(query, MATCHERS);
    if (isOfOneHost) {
      checkMatchers(query, List.of(HOST_MATCHER));
    }
    checkCount(query, true);
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

  private void checkMatchers(Dashboard.Query query, List<String> wanted) {
    for (Expression.Selector selector : new Expression(query.expression()).selectors()) {
      for (String matcher : wanted) {
        if (!selector.matchers().contains(matcher)) {
          add(query, "matchers", selector.metric() + selector.matchers() + " lacks " + matcher);
        }
      }
    }
  }

  private void checkCount(Dashboard.Query query, boolean withLabelsOfMetric) {
    new Expression(query.expression())
        .countedTwice(PROCESS, withLabelsOfMetric)
        .forEach(
            selector ->
                add(
                    query,
                    "counts-once",
                    selector.metric()
                        + " is not in a max by (host_id, application, its labels); a total of sites"
                        + " is first a sum by (job, instance, ...)"));
  }

  private void add(Dashboard.Query query, String rule, String problem) {
    findings.add(new Finding(query.file(), query.panel(), rule, problem));
  }
}
