/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A committed Grafana dashboard. */
public record Dashboard(String file, JsonObject json) {
  private static final Path DIRECTORY = Repository.path("dashboards");
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");
  private static final Pattern QUERY_RESULT = Pattern.compile("query_result\\((.+)\\)");
  private static final Pattern SELECTOR = Pattern.compile("cistern_[a-z_]+\\{[^}]*}");
  private static final Pattern VALUE_LABEL = Pattern.compile("(\\w+)=\"\\(\\?<value>");
  private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");

  /** A query of a panel. */
  public record Query(String file, String panel, String expression, String legend) {
    /** Returns the query as Grafana would send it, with all values selected. */
    public String filledIn() {
      return expression
          .replace("$__rate_interval", "10s")
          .replace("$__interval", "10s")
          .replace("$job", ".+")
          .replace("$instance", ".+")
          .replace("$host", ".+");
    }

    /** Returns the labels that the legend shows. */
    Set<String> legendLabels() {
      return LEGEND_LABEL
          .matcher(legend)
          .results()
          .map(r -> r.group(1))
          .collect(Collectors.toSet());
    }
  }

  public static List<Dashboard> all() {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      List<Dashboard> all = new ArrayList<>();
      for (Path file : files.filter(Dashboard::isDashboard).sorted().toList()) {
        all.add(read(file));
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isDashboard(Path file) {
    return file.toString().endsWith(".json") && !file.endsWith("metrics.json");
  }

  private static Dashboard read(Path file) throws IOException {
    return parse(file.getFileName().toString(), Files.readString(file));
  }

  static Dashboard parse(String file, String text) {
    try {
      return new Dashboard(file, JsonParser.object().from(text));
    } catch (JsonParserException e) {
      throw new AssertionError(file + ": " + e.getMessage(), e);
    }
  }

  /** Returns the committed dashboard with this file name. */
  static Dashboard named(String file) {
    return all().stream().filter(each -> each.file().equals(file)).findFirst().orElseThrow();
  }

  JsonObject panel(String title) {
    return panels().stream()
        .filter(panel -> title.equals(panel.getString("title")))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns all panels except the titles of rows. Rows must be open: a closed row would hide
   * panels.
   */
  List<JsonObject> panels() {
    return objects(json.getArray("panels")).stream()
        .filter(panel -> !"row".equals(panel.getString("type")))
        .toList();
  }

  public List<Query> queries() {
    return panels().stream().flatMap(panel -> queries(panel).stream()).toList();
  }

  List<Query> queries(JsonObject panel) {
    return objects(panel.getArray("targets")).stream()
        .map(
            target ->
                new Query(
                    file,
                    panel.getString("title", ""),
                    target.getString("expr", ""),
                    target.getString("legendFormat", "")))
        .toList();
  }

  /**
   * Returns the queries of the variables: a selector, and as the legend the label of the values.
   * {@link #variableExpressions} has the variables that process the selector.
   */
  List<Query> variableQueries() {
    return queryVariables().map(this::variableQuery).toList();
  }

  private Query variableQuery(JsonObject variable) {
    String text = text(variable);
    Matcher values = LABEL_VALUES.matcher(text);
    Matcher selector = SELECTOR.matcher(text);
    Matcher label = VALUE_LABEL.matcher(variable.getString("regex", ""));
    String name = variable.getString("name");
    if (values.matches()) {
      return new Query(file, name, values.group(1), "{{" + values.group(2) + "}}");
    }
    if (selector.find() && label.find()) {
      return new Query(file, name, selector.group(), "{{" + label.group(1) + "}}");
    }
    throw new AssertionError(file + ": " + text);
  }

  /** Returns the queries of the variables whose query is more than a selector. */
  List<Query> variableExpressions() {
    List<Query> queries = new ArrayList<>();
    queryVariables()
        .forEach(
            variable -> {
              Matcher matcher = QUERY_RESULT.matcher(text(variable));
              if (matcher.matches()) {
                String name = variable.getString("name");
                queries.add(new Query(file, name, matcher.group(1), ""));
              }
            });
    return queries;
  }

  private Stream<JsonObject> queryVariables() {
    return variables().stream().filter(each -> "query".equals(each.getString("type")));
  }

  private static String text(JsonObject variable) {
    return variable.getObject("query").getString("query");
  }

  List<Query> annotationQueries() {
    return annotations().stream()
        .map(a -> new Query(file, a.getString("name"), a.getString("expr"), ""))
        .toList();
  }

  List<JsonObject> variables() {
    return objects(json.getObject("templating").getArray("list"));
  }

  List<JsonObject> annotations() {
    return objects(json.getObject("annotations").getArray("list"));
  }

  static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }
}
