/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The queries of a dashboard with Grafana's macros and variables filled in. */
final class PanelQueries {
  private final Dashboard dashboard;
  private final Map<String, String> values = new TreeMap<>(Comparator.reverseOrder());

  /** One query of a panel. */
  record Target(
      String file, JsonObject panel, String refId, String legend, boolean instant, String query) {
    /** What it is called in messages, and in the list of exceptions. */
    String name() {
      return file + ": " + panel.getString("title") + ": " + (legend.isEmpty() ? refId : legend);
    }
  }

  /**
   * @param chosen values of variables; those that are not named have all
   */
  PanelQueries(Dashboard dashboard, Map<String, String> chosen, Span span) {
    this.dashboard = dashboard;
    for (JsonObject variable : dashboard.variables()) {
      values.put(variable.getString("name"), variable.getString("allValue", ".+"));
    }
    values.putAll(chosen);
    long scrape = LivePrometheus.SCRAPE_INTERVAL_SECONDS;
    values.put("__interval", span.stepSeconds() + "s");
    values.put("__rate_interval", Math.max(span.stepSeconds() + scrape, 4 * scrape) + "s");
    values.put("__range", span.seconds() + "s");
  }

  /** As Grafana does it; the longer of two names first, where one begins with the other. */
  String fill(String expression) {
    String filled = expression;
    for (Map.Entry<String, String> value : values.entrySet()) {
      String name = value.getKey();
      filled =
          filled
              .replaceAll("\\$\\{" + name + "(:\\w+)?}", value.getValue())
              .replace("$" + name, value.getValue());
    }
    if (filled.contains("$")) {
      throw new AssertionError(dashboard.file() + ": nothing to fill in: " + filled);
    }
    return filled;
  }

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (JsonObject panel : dashboard.panels()) {
      JsonArray all = panel.getArray("targets", new JsonArray());
      for (int i = 0; i < all.size(); i++) {
        targets.add(target(panel, all.getObject(i)));
      }
    }
    return targets;
  }

  private Target target(JsonObject panel, JsonObject json) {
    return new Target(
        dashboard.file(),
        panel,
        json.getString("refId"),
        json.getString("legendFormat", ""),
        json.getBoolean("instant", false),
        fill(json.getString("expr")));
  }

  /** Selector and label of each variable that asks Prometheus for the values of a label. */
  Map<String, List<String>> variables() {
    Map<String, List<String>> variables = new LinkedHashMap<>();
    for (Dashboard.Query variable : dashboard.variableQueries()) {
      String label = variable.legendLabels().iterator().next();
      variables.put(variable.panel(), List.of(fill(variable.expression()), label));
    }
    return variables;
  }
}
