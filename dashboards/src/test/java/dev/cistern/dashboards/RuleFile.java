/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A rule file for Prometheus. */
record RuleFile(String file, List<Rule> rules) {
  /**
   * A rule that alerts or records.
   *
   * @param name name of the alert or of the recorded series
   */
  record Rule(
      String name,
      boolean alerts,
      String expression,
      Map<String, String> labels,
      Map<String, String> annotations) {}

  /** Reads {@code dashboards/file}. */
  static RuleFile read(String file) {
    return parse(file, text(file));
  }

  static String text(String file) {
    try {
      return Files.readString(Repository.path("dashboards").resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RuleFile parse(String file, String yaml) {
    List<Rule> rules = new ArrayList<>();
    for (Object group : list(map(load(yaml)).get("groups"))) {
      for (Object each : list(map(group).get("rules"))) {
        Map<?, ?> rule = map(each);
        boolean alerts = rule.containsKey("alert");
        rules.add(
            new Rule(
                string(rule.get(alerts ? "alert" : "record")),
                alerts,
                string(rule.get("expr")),
                strings(rule.get("labels")),
                strings(rule.get("annotations"))));
      }
    }
    return new RuleFile(file, rules);
  }

  static Object load(String yaml) {
    return new Load(LoadSettings.builder().build()).loadFromString(yaml);
  }

  static List<?> list(Object value) {
    return value == null ? List.of() : (List<?>) value;
  }

  static Map<?, ?> map(Object value) {
    return value == null ? Map.of() : (Map<?, ?>) value;
  }

  private static String string(Object value) {
    return value == null ? "" : value.toString();
  }

  private static Map<String, String> strings(Object value) {
    Map<String, String> strings = new TreeMap<>();
    map(value).forEach((key, each) -> strings.put(string(key), string(each)));
    return strings;
  }
}
