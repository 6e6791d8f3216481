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

  /** A query of a panel. */
  record Target(
      String file, JsonObject panel, String refId, String legend, boolean instant, String query) {
    /** Returns the name of the query in messages and in the list of exceptions. */
    String name() {
      return file + ": " + panel.getString("title") + ": " + (legend.isEmpty() ? refId : legend);
    }
  }

  /**
   * Creates the queries.
   *
   * @param chosen values of variables; all values for variables that are not named
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

  /**
   * Returns the expression as Grafana fills it in: longer names first, if one name is a prefix of
   * another.
   */
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

  /** Returns selector and label of each variable that lists the values of a label. */
  Map<String, List<String>> variables() {
    Map<String, List<String>> variables = new LinkedHashMap<>();
    for (Dashboard.Query variable : dashboard.variableQueries()) {
      String label = variable.legendLabels().iterator().next();
      variables.put(variable.panel(), List.of(fill(variable.expression()), label));
    }
    return variables;
  }
}
