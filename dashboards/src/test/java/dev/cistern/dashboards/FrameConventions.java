/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Conventions that hold for all dashboards. */
final class FrameConventions {
  private static final List<String> VARIABLES = List.of("datasource", "job", "instance");

  private final List<Finding> findings = new ArrayList<>();
  private final Dashboard dashboard;
  private final JsonObject json;

  private FrameConventions(Dashboard dashboard) {
    this.dashboard = dashboard;
    this.json = dashboard.json();
  }

  static List<Finding> check(Dashboard dashboard) {
    FrameConventions conventions = new FrameConventions(dashboard);
    conventions.checkIdentity();
    conventions.checkVariables();
    conventions.checkAnnotations();
    conventions.checkLinks();
    return conventions.findings;
  }

  private void checkIdentity() {
    String uid = "cistern-" + dashboard.file().replace(".json", "");
    checkThat(!json.getBoolean("editable", true), "", "editable", "it can be edited");
    checkThat(uid.equals(json.getString("uid", "")), "", "uid", "it is not " + uid);
    checkThat(!json.containsKey("id"), "", "id", "there is one, of some server");
    checkThat(!json.getString("title", "").isBlank(), "", "title", "there is none");
    checkThat(!json.getString("description", "").isBlank(), "", "description", "there is none");
  }

  private void checkVariables() {
    List<String> names =
        dashboard.variables().stream().map(variable -> variable.getString("name")).toList();
    List<String> withHost = new ArrayList<>(VARIABLES);
    withHost.add("host");
    List<String> needed = dashboard.file().equals("jvm.json") ? withHost : VARIABLES;
    checkThat(names.equals(needed), "", "variables", names + " instead of " + needed);
    for (JsonObject variable : dashboard.variables()) {
      String name = variable.getString("name");
      checkThat(!variable.getString("label", "").isBlank(), name, "label", "there is none");
      if (name.equals("datasource")) {
        checkThat("Data source".equals(variable.getString("label")), name, "label", "another one");
        checkThat("prometheus".equals(variable.getString("query")), name, "type", "another one");
      } else {
        checkQueryVariable(name, variable);
      }
    }
  }

  private void checkQueryVariable(String name, JsonObject variable) {
    String uid = variable.getObject("datasource", new JsonObject()).getString("uid", "");
    checkThat("query".equals(variable.getString("type")), name, "type", "no query");
    checkThat("${datasource}".equals(uid), name, "data-source", "it is '" + uid + "'");
    // A query for one JVM cannot have several values.
    boolean isOfOne = dashboard.file().equals("jvm.json") && !name.equals("job");
    boolean isMulti = variable.getBoolean("multi", false);
    checkThat(isMulti != isOfOne, name, "multi", "it is " + isMulti);
    String all = variable.getString("allValue", "");
    checkThat(isOfOne || ".+".equals(all), name, "allValue", "it is '" + all + "'");
  }

  private void checkAnnotations() {
    boolean showsStarts =
        dashboard.annotationQueries().stream()
            .anyMatch(query -> query.expression().contains("cistern_start_time_seconds"));
    checkThat(showsStarts, "", "annotations", "none of starts");
    // Starts of one JVM, or one line for each application.
    String needed = dashboard.file().equals("jvm.json") ? "host_id=~\"$host\"" : "by (application)";
    boolean areFew =
        dashboard.annotationQueries().stream().allMatch(q -> q.expression().contains(needed));
    checkThat(areFew, "", "annotations", "one lacks " + needed);
  }

  private void checkLinks() {
    List<JsonObject> links = Dashboard.objects(json.getArray("links", new JsonArray()));
    boolean linksDashboards =
        links.stream()
            .filter(link -> "dashboards".equals(link.getString("type")))
            .filter(link -> link.getArray("tags").equals(json.getArray("tags")))
            .anyMatch(link -> link.getBoolean("includeVars") && link.getBoolean("keepTime"));
    checkThat(linksDashboards, "", "links", "no link to dashboards with variables and time");
  }

  private void checkThat(boolean holds, String place, String rule, String problem) {
    if (!holds) {
      findings.add(new Finding(dashboard.file(), place, rule, problem));
    }
  }
}
