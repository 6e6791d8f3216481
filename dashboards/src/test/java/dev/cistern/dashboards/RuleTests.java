/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rules that the files in {@code dashboards/tests} test.
 *
 * @param fires alerts that fire in some test
 * @param isSilent alerts that do not fire in some test
 * @param recorded expressions whose values are compared
 */
record RuleTests(Set<String> fires, Set<String> isSilent, List<String> recorded) {
  static List<Path> files() {
    try (Stream<Path> files = Files.list(Repository.path("dashboards/tests"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RuleTests read() {
    RuleTests tests = new RuleTests(new TreeSet<>(), new TreeSet<>(), new ArrayList<>());
    for (Path file : files()) {
      Map<?, ?> yaml = RuleFile.map(RuleFile.load(RuleFile.text("tests/" + file.getFileName())));
      RuleFile.list(yaml.get("tests")).forEach(test -> tests.add(RuleFile.map(test)));
    }
    return tests;
  }

  private void add(Map<?, ?> test) {
    for (Object each : RuleFile.list(test.get("alert_rule_test"))) {
      Map<?, ?> expected = RuleFile.map(each);
      Set<String> names = RuleFile.list(expected.get("exp_alerts")).isEmpty() ? isSilent : fires;
      names.add(expected.get("alertname").toString());
    }
    for (Object each : RuleFile.list(test.get("promql_expr_test"))) {
      recorded.add(RuleFile.map(each).get("expr").toString());
    }
  }

  /** Returns the rules of a file without a test. */
  List<Finding> missing(RuleFile file) {
    List<Finding> findings = new ArrayList<>();
    for (RuleFile.Rule rule : file.rules()) {
      String name = rule.name();
      if (rule.alerts() && !fires.contains(name)) {
        findings.add(new Finding(file.file(), name, "tested", "it fires in no test"));
      }
      if (rule.alerts() && !isSilent.contains(name)) {
        findings.add(new Finding(file.file(), name, "tested", "no test sees it silent"));
      }
      if (!rule.alerts() && recorded.stream().noneMatch(each -> each.startsWith(name))) {
        findings.add(new Finding(file.file(), name, "tested", "no test looks at it"));
      }
    }
    return findings;
  }
}
