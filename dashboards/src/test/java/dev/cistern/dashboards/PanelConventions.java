/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Conventions for each panel, except those for its queries. */
final class PanelConventions {
  /** Grafana's identifiers of the permitted units. */
  private static final Set<String> UNITS =
      Set.of("short", "bytes", "binBps", "ops", "percentunit", "s", "dateTimeAsIso");

  /** Labels that must follow the values of a table. */
  private static final Set<String> LONG_LABELS =
      Set.of(
          "site",
          "pool",
          "mode",
          "source",
          "version",
          "pod",
          "container",
          "pid",
          "instance",
          "way");

  private static final int PAGE_WIDTH = 24;
  private static final int IDENTIFIERS = 1_000_000;
  private static final Pattern FIELD = Pattern.compile("__data\\.fields\\.(\\w+)");

  private final List<Finding> findings = new ArrayList<>();
  private final Dashboard dashboard;
  private final Set<Integer> identifiers = new HashSet<>();
  private final Set<List<Integer>> taken = new HashSet<>();

  private PanelConventions(Dashboard dashboard) {
    this.dashboard = dashboard;
  }

  static List<Finding> check(Dashboard dashboard) {
    PanelConventions conventions = new PanelConventions(dashboard);
    dashboard.panels().forEach(conventions::checkPanel);
    // Rows occupy space and need an identifier, too.
    for (JsonObject each : Dashboard.objects(dashboard.json().getArray("panels"))) {
      conventions.checkPlace(each);
      conventions.checkTaken(each);
    }
    return conventions.findings;
  }

  private void checkPanel(JsonObject panel) {
    JsonObject field = panel.getObject("fieldConfig");
    checkThat(!panel.getString("title", "").isBlank(), panel, "title", "there is none");
    checkThat(!panel.getString("description", "").isBlank(), panel, "description", "there is none");
    checkUnit(panel, field.getObject("defaults").getString("unit", ""));
    checkIdentifier(panel);
    checkSources(panel);
    checkNow(panel);
    checkLargest(panel);
    checkColumns(panel);
    for (JsonObject override : Dashboard.objects(field.getArray("overrides", new JsonArray()))) {
      checkOverride(panel, override);
    }
  }

  /** Checks that the identifier derives from the title, and so does not depend on other panels. */
  private void checkIdentifier(JsonObject panel) {
    CRC32 ofTitle = new CRC32();
    ofTitle.update(panel.getString("title", "").getBytes(StandardCharsets.UTF_8));
    long needed = ofTitle.getValue() % IDENTIFIERS;
    int identifier = panel.getInt("id");
    checkThat(identifier == needed, panel, "identifier", identifier + " instead of " + needed);
  }

  private void checkTaken(JsonObject panel) {
    int identifier = panel.getInt("id");
    checkThat(identifiers.add(identifier), panel, "identifier", identifier + " is taken");
  }

  private void checkUnit(JsonObject panel, String unit) {
    checkThat(UNITS.contains(unit), panel, "unit", "'" + unit + "' is none of " + UNITS);
  }

  private void checkPlace(JsonObject panel) {
    JsonObject place = panel.getObject("gridPos");
    int right = place.getInt("x") + place.getInt("w");
    checkThat(right <= PAGE_WIDTH, panel, "place", "it ends at " + right);
    boolean isFree = true;
    for (int x = place.getInt("x"); x < right; x++) {
      for (int y = place.getInt("y"); y < place.getInt("y") + place.getInt("h"); y++) {
        isFree &= taken.add(List.of(x, y));
      }
    }
    checkThat(isFree, panel, "place", "it overlaps another panel");
  }

  private void checkSources(JsonObject panel) {
    List<JsonObject> all = new ArrayList<>(Dashboard.objects(panel.getArray("targets")));
    checkThat(!all.isEmpty(), panel, "query", "there is none");
    all.add(panel);
    for (JsonObject each : all) {
      String uid = each.getObject("datasource", new JsonObject()).getString("uid", "");
      checkThat("${datasource}".equals(uid), panel, "data-source", "it is '" + uid + "'");
    }
  }

  /**
   * Checks that single values and tables use instant queries: the last point of a range can be old.
   */
  private void checkNow(JsonObject panel) {
    if (!"timeseries".equals(panel.getString("type"))) {
      for (JsonObject target : Dashboard.objects(panel.getArray("targets"))) {
        boolean isNow = target.getBoolean("instant", false);
        checkThat(isNow, panel, "instant", "query " + target.getString("refId") + " is none");
      }
    }
  }

  /**
   * Checks that a graph with {@code topk} says so: the largest series differ at each step, so the
   * graph has more lines than the query requests.
   */
  private void checkLargest(JsonObject panel) {
    boolean isOverTime = "timeseries".equals(panel.getString("type"));
    boolean hasLargest =
        dashboard.queries(panel).stream().anyMatch(q -> q.expression().contains("topk("));
    boolean says = panel.getString("description", "").contains("at each moment");
    checkThat(!isOverTime || !hasLargest || says, panel, "largest", "it does not say when");
  }

  /**
   * Checks the order of columns: a narrow panel cuts off the last columns, so names must follow the
   * values. All columns need a position.
   */
  private void checkColumns(JsonObject panel) {
    for (JsonObject each : Dashboard.objects(panel.getArray("transformations", new JsonArray()))) {
      if ("organize".equals(each.getString("id"))) {
        JsonObject options = each.getObject("options");
        JsonObject places = options.getObject("indexByName", new JsonObject());
        Set<String> values = options.getObject("renameByName", new JsonObject()).keySet();
        int last = values.stream().mapToInt(places::getInt).max().orElse(0);
        for (String label : labels(panel)) {
          boolean isLong = LONG_LABELS.contains(label);
          boolean isPlaced = places.containsKey(label) && isLong == places.getInt(label) > last;
          checkThat(isPlaced, panel, "columns", label + " is at the wrong position");
        }
      }
    }
  }

  private void checkOverride(JsonObject panel, JsonObject override) {
    String name = override.getObject("matcher").getString("options");
    checkThat(names(panel).contains(name), panel, "override", "there is no field '" + name + "'");
    for (JsonObject property : Dashboard.objects(override.getArray("properties"))) {
      if ("unit".equals(property.getString("id"))) {
        checkUnit(panel, property.getString("value"));
      }
      if ("links".equals(property.getString("id"))) {
        Dashboard.objects(property.getArray("value")).forEach(link -> checkLink(panel, link));
      }
    }
  }

  /** Returns the labels, headings and legends of a panel. */
  private Set<String> names(JsonObject panel) {
    Set<String> names = labels(panel);
    dashboard.queries(panel).forEach(query -> names.add(query.legend()));
    for (JsonObject each : Dashboard.objects(panel.getArray("transformations", new JsonArray()))) {
      JsonObject options = each.getObject("options", new JsonObject());
      options
          .getObject("renameByName", new JsonObject())
          .values()
          .forEach(v -> names.add(v.toString()));
    }
    return names;
  }

  private Set<String> labels(JsonObject panel) {
    Set<String> labels = new TreeSet<>();
    for (Dashboard.Query query : dashboard.queries(panel)) {
      labels.addAll(new Expression(query.expression()).resultLabels());
    }
    return labels;
  }

  /**
   * Checks that each row has the labels that a link uses, and that links leave out the other sites,
   * which have no stacks.
   */
  private void checkLink(JsonObject panel, JsonObject link) {
    if (link.getString("url").contains("__data.fields.site")) {
      boolean leavesOutRest =
          dashboard.queries(panel).stream()
              .flatMap(query -> new Expression(query.expression()).selectors().stream())
              .allMatch(selector -> selector.matchers().contains("site!=\"other\""));
      checkThat(leavesOutRest, panel, "link", "site=\"other\" has no stacks to lead to");
    }
    Matcher fields = FIELD.matcher(link.getString("url"));
    while (fields.find()) {
      String field = fields.group(1);
      boolean isEverywhere =
          dashboard.queries(panel).stream()
              .allMatch(query -> new Expression(query.expression()).resultLabels().contains(field));
      checkThat(
          isEverywhere, panel, "link", "no column " + field + " for " + link.getString("url"));
    }
  }

  private void checkThat(boolean holds, JsonObject panel, String rule, String problem) {
    if (!holds) {
      findings.add(new Finding(dashboard.file(), panel.getString("title", ""), rule, problem));
    }
  }
}
