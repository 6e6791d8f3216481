/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.dashboards;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.exporter.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One committed Grafana dashboard. */
record Dashboard(String file, JsonObject json) {
  private static final Path DIRECTORY = Repository.path("dashboards");
  private static final Pattern METRIC = Pattern.compile("\\bcistern_[a-z_]+\\b");
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");
  private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");

  /** A query of a panel. */
  record Query(String file, String panel, String expression, String legend) {
    /** The query as Grafana would send it, with everything selected. */
    String filledIn() {
      return expression
          .replace("$__rate_interval", "10s")
          .replace("$__interval", "10s")
          .replace("$job", ".+")
          .replace("$instance", ".+");
    }

    /** The labels that the legend shows. */
    Set<String> legendLabels() {
      return LEGEND_LABEL
          .matcher(legend)
          .results()
          .map(r -> r.group(1))
          .collect(Collectors.toSet());
    }
  }

  static List<Dashboard> all() {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      List<Dashboard> all = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        all.add(read(file));
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Dashboard read(Path file) throws IOException {
    try {
      return new Dashboard(
          file.getFileName().toString(), JsonParser.object().from(Files.readString(file)));
    } catch (JsonParserException e) {
      throw new AssertionError(file + ": " + e.getMessage(), e);
    }
  }

  /** All panels but the titles of rows. */
  List<JsonObject> panels() {
    List<JsonObject> panels = new ArrayList<>();
    JsonArray all = json.getArray("panels");
    for (int i = 0; i < all.size(); i++) {
      if (!"row".equals(all.getObject(i).getString("type"))) {
        panels.add(all.getObject(i));
      }
    }
    return panels;
  }

  List<Query> queries() {
    List<Query> queries = new ArrayList<>();
    for (JsonObject panel : panels()) {
      JsonArray targets = panel.getArray("targets");
      for (int i = 0; i < targets.size(); i++) {
        JsonObject target = targets.getObject(i);
        queries.add(
            new Query(
                file,
                panel.getString("title"),
                target.getString("expr"),
                target.getString("legendFormat", "")));
      }
    }
    return queries;
  }

  /** What the variables ask for; the label whose values they want counts as the legend's. */
  List<Query> variableQueries() {
    List<Query> queries = new ArrayList<>();
    for (JsonObject variable : variables()) {
      if ("query".equals(variable.getString("type"))) {
        String text = variable.getObject("query").getString("query");
        Matcher matcher = LABEL_VALUES.matcher(text);
        if (!matcher.matches()) {
          throw new AssertionError(file + ": " + text);
        }
        queries.add(
            new Query(
                file,
                variable.getString("name"),
                matcher.group(1),
                "{{" + matcher.group(2) + "}}"));
      }
    }
    return queries;
  }

  List<Query> annotationQueries() {
    return annotations().stream()
        .map(a -> new Query(file, a.getString("name"), a.getString("expr"), ""))
        .toList();
  }

  /** Everything that is sent to Prometheus: of panels, variables and annotations. */
  List<String> expressions() {
    return Stream.of(queries(), variableQueries(), annotationQueries())
        .flatMap(List::stream)
        .map(Query::expression)
        .toList();
  }

  List<JsonObject> variables() {
    return objects(json.getObject("templating").getArray("list"));
  }

  List<JsonObject> annotations() {
    return objects(json.getObject("annotations").getArray("list"));
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /** The metrics that an expression names. */
  static Set<String> metrics(String expression) {
    return METRIC
        .matcher(expression)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
