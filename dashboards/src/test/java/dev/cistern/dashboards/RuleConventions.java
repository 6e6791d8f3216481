/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.exporter.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Conventions for each rule and its section of the runbook. */
final class RuleConventions {
  private static final Set<String> SEVERITIES = Set.of("critical", "warning", "info");
  private static final List<String> PARTS = List.of("Meaning", "First look", "Remedy");

  /** Names with the form level:metric:operations. */
  private static final Pattern RECORD = Pattern.compile("([a-z_]+):(cistern_[a-z_]+):([a-z0-9_]+)");

  /** Optional labels that route alerts. */
  private static final List<String> ROUTING = List.of("cluster", "namespace");

  private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");
  private static final Pattern TEMPLATE_LABEL = Pattern.compile("\\$labels\\.(\\w+)");
  private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)$");

  private final List<Finding> findings = new ArrayList<>();
  private final RuleFile file;
  private final String runbook;
  private final Set<String> recorded;

  private RuleConventions(RuleFile file, String runbook) {
    this.file = file;
    this.runbook = runbook;
    this.recorded =
        file.rules().stream()
            .filter(rule -> !rule.alerts())
            .map(RuleFile.Rule::name)
            .collect(Collectors.toSet());
  }

  static List<Finding> check(RuleFile file, String runbook) {
    RuleConventions conventions = new RuleConventions(file, runbook);
    Set<String> names = new TreeSet<>();
    for (RuleFile.Rule rule : file.rules()) {
      conventions.checkThat(names.add(rule.name()), rule.name(), "name", "there are two");
      conventions.checkMetrics(rule);
      if (rule.alerts()) {
        conventions.checkAlert(rule);
      } else {
        conventions.checkRecord(rule);
      }
    }
    return conventions.findings;
  }

  /** Returns sections of the runbook without an alert. */
  static List<Finding> checkSections(RuleFile alerts, String runbook) {
    Set<String> names =
        alerts.rules().stream().map(RuleFile.Rule::name).collect(Collectors.toSet());
    return SECTION
        .matcher(runbook)
        .results()
        .map(result -> result.group(1))
        .filter(section -> !names.contains(section))
        .map(section -> new Finding("runbook.md", section, "runbook", "there is no such alert"))
        .toList();
  }

  private void checkMetrics(RuleFile.Rule rule) {
    Expression expression = new Expression(rule.expression());
    for (String metric : expression.metrics()) {
      boolean exists = Catalogue.rows().containsKey(metric);
      checkThat(exists, rule.name(), "metric-exists", metric + " is not in docs/metrics.md");
    }
    for (String name : expression.records()) {
      checkThat(recorded.contains(name), rule.name(), "metric-exists", name + " is not recorded");
    }
  }

  private void checkAlert(RuleFile.Rule rule) {
    String name = rule.name();
    String severity = rule.labels().getOrDefault("severity", "");
    checkThat(name.startsWith("Cistern"), name, "name", "it does not begin with Cistern");
    checkThat(SEVERITIES.contains(severity), name, "severity", "it is '" + severity + "'");
    for (String key : List.of("summary", "description", "runbook_url")) {
      checkThat(!rule.annotations().getOrDefault(key, "").isBlank(), name, key, "there is none");
    }
    Set<String> labels = new Expression(rule.expression()).resultLabels();
    rule.annotations()
        .values()
        .forEach(
            text ->
                TEMPLATE_LABEL
                    .matcher(text)
                    .results()
                    .map(result -> result.group(1))
                    .forEach(
                        label ->
                            checkThat(
                                labels.contains(label), name, "template", "no label " + label)));
    checkRouting(rule);
    checkRunbook(rule);
  }

  private void checkRouting(RuleFile.Rule rule) {
    Matcher by = BY.matcher(rule.expression());
    while (by.find()) {
      boolean keepsThem = List.of(by.group(1).split(",\\s*", -1)).containsAll(ROUTING);
      checkThat(keepsThem, rule.name(), "routing", by.group() + " lacks some of " + ROUTING);
    }
  }

  private void checkRunbook(RuleFile.Rule rule) {
    String url = "dashboards/runbook.md#" + rule.name().toLowerCase(Locale.ROOT);
    String given = rule.annotations().getOrDefault("runbook_url", "");
    checkThat(given.isBlank() || given.equals(url), rule.name(), "runbook_url", "it is not " + url);
    int start = runbook.indexOf("\n## " + rule.name() + "\n");
    checkThat(start >= 0, rule.name(), "runbook", "there is no section in runbook.md");
    if (start >= 0) {
      int end = runbook.indexOf("\n## ", start + 1);
      String section = runbook.substring(start, end < 0 ? runbook.length() : end);
      for (String part : PARTS) {
        boolean isThere =
            section.contains("\n**" + part + ".** ") || section.contains("\n**" + part + ".**\n");
        checkThat(isThere, rule.name(), "runbook", "its section has no " + part);
      }
    }
  }

  /**
   * Checks the name of a record: the level lists the labels of the result, and the metric is the
   * aggregated one.
   */
  private void checkRecord(RuleFile.Rule rule) {
    Matcher matcher = RECORD.matcher(rule.name());
    boolean isWellNamed = matcher.matches();
    checkThat(isWellNamed, rule.name(), "name", "it is not level:metric:operations");
    if (isWellNamed) {
      Expression expression = new Expression(rule.expression());
      Set<String> metrics = expression.metrics();
      String metric = matcher.group(2);
      boolean isOfMetric = metrics.contains(metric) || metrics.contains(metric + "_total");
      boolean isRatio = metric.contains("_per_");
      checkThat(isOfMetric || isRatio, rule.name(), "name", metric + " is not in its expression");
      if (expression.records().isEmpty()) {
        Set<String> level = new TreeSet<>(List.of(matcher.group(1).split("_", -1)));
        Set<String> left = new TreeSet<>(expression.resultLabels());
        checkThat(level.equals(left), rule.name(), "name", "its labels are " + left);
      }
    }
  }

  private void checkThat(boolean holds, String rule, String convention, String problem) {
    if (!holds) {
      findings.add(new Finding(file.file(), rule, convention, problem));
    }
  }
}
