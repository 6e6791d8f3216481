/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.dashboards;

import dev.cistern.exporter.Catalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What can be said of a query in PromQL without a parser, in the forms that are used here. */
record Expression(String text) {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern METRIC = Pattern.compile("(?<!:)\\bcistern_[a-z_]+\\b(?!:)");
  private static final Pattern SELECTOR =
      Pattern.compile("(?<!:)\\b(cistern_[a-z_]+)\\b(?!:)(\\{[^}]*})?");
  private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern EQUALS = Pattern.compile("(\\w+)=\"[^\"]*\"");
  private static final Pattern AGGREGATION =
      Pattern.compile("\\b(sum|max|min|count|avg|topk)\\s*(?:by \\(([^)]*)\\)\\s*)?\\(");
  private static final Pattern ONCE = Pattern.compile("\\b(?:max|min) by \\(([^)]*)\\)\\s*$");

  /** Metrics that an exporter or a sidecar tells of itself: without {@code host_id}. */
  private static final Pattern OF_EXPORTERS =
      Pattern.compile("cistern_(up|(scrape|dump|dumps|http|web|sidecar)_\\w+)");

  /** A selector of one metric, and where it begins. */
  record Selector(String metric, String matchers, int start) {}

  /** Metrics of ours that are named, but for those that rules record. */
  Set<String> metrics() {
    return METRIC
        .matcher(STRING.matcher(text).replaceAll("\"\""))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names of recorded metrics, which have colons. */
  Set<String> records() {
    return NAME.matcher(STRING.matcher(text).replaceAll("\"\""))
        .results()
        .map(MatchResult::group)
        .filter(name -> name.contains(":"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  List<Selector> selectors() {
    List<Selector> selectors = new ArrayList<>();
    Matcher matcher = SELECTOR.matcher(text);
    while (matcher.find()) {
      String matchers = matcher.group(2) == null ? "" : matcher.group(2);
      selectors.add(new Selector(matcher.group(1), matchers, matcher.start()));
    }
    return selectors;
  }

  /** The labels that a result has, as far as the outermost aggregation says. */
  Set<String> resultLabels() {
    Matcher matcher = AGGREGATION.matcher(text);
    while (matcher.find()) {
      if (matcher.group(2) != null) {
        return labels(matcher.group(2));
      }
      if (!matcher.group(1).equals("topk")) {
        return Set.of();
      }
    }
    Set<String> all = new TreeSet<>(Set.of("job", "instance"));
    metrics().forEach(metric -> all.addAll(labelsOf(metric)));
    return all;
  }

  /** Selectors of a process's metrics that no aggregation by these labels brings together first. */
  List<Selector> countedTwice(Set<String> process, boolean withLabelsOfMetric) {
    List<Selector> twice = new ArrayList<>();
    for (Selector selector : selectors()) {
      boolean isOfProcess =
          Catalogue.rows().containsKey(selector.metric())
              && !OF_EXPORTERS.matcher(selector.metric()).matches();
      Set<String> needed = new HashSet<>(process);
      if (withLabelsOfMetric) {
        needed.addAll(labelsOf(selector.metric()));
        EQUALS.matcher(selector.matchers()).results().forEach(m -> needed.remove(m.group(1)));
      }
      if (isOfProcess
          && aggregationsAround(selector.start()).stream()
              .noneMatch(by -> by.containsAll(needed))) {
        twice.add(selector);
      }
    }
    return twice;
  }

  private static Set<String> labelsOf(String metric) {
    Catalogue.Row row = Catalogue.rows().get(metric);
    return row == null ? Set.of() : row.labels();
  }

  /** The labels of each {@code max by (...)} around a place. */
  private List<Set<String>> aggregationsAround(int place) {
    List<Set<String>> around = new ArrayList<>();
    int closed = 0;
    for (int i = place - 1; i >= 0; i--) {
      if (text.charAt(i) == ')') {
        closed++;
      } else if (text.charAt(i) == '(' && closed > 0) {
        closed--;
      } else if (text.charAt(i) == '(') {
        Matcher once = ONCE.matcher(text.substring(0, i));
        if (once.find()) {
          around.add(labels(once.group(1)));
        }
      }
    }
    return around;
  }

  private static Set<String> labels(String list) {
    return new TreeSet<>(List.of(list.trim().split("\\s*,\\s*", -1)));
  }
}
