/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.exporter.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A PromQL query, analyzed without a parser: covers the forms that the dashboards and rules use.
 */
record Expression(String text) {

  /**
   * Parts without metric names: strings, matchers, ranges, and the labels of joins and
   * aggregations.
   */
  private static final Pattern NO_METRIC =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*\"|\\{[^}]*}|\\[[^]]*]"
              + "|\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

  /** A name that is not the end of a number and not a function. */
  private static final Pattern METRIC =
      Pattern.compile("(?<![\\w:.])[a-zA-Z_:][\\w:]*(?![\\w:])(?!\\s*\\()");

  private static final Set<String> KEYWORDS =
      Set.of("and", "or", "unless", "bool", "offset", "group_left", "group_right", "inf", "nan");

  private static final Pattern SELECTOR =
      Pattern.compile("(?<!:)\\b(cistern_[a-z_]+)\\b(?!:)(\\{[^}]*})?");
  private static final Pattern AGGREGATION =
      Pattern.compile("\\b(sum|max|min|count|avg|topk)\\s*(?:by \\(([^)]*)\\)\\s*)?\\(");

  /** A selector of one metric. */
  record Selector(String metric, String matchers) {}

  /** Returns all metrics in the expression, except those that rules record. */
  Set<String> metrics() {
    return names()
        .filter(name -> !name.contains(":"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Stream<String> names() {
    return METRIC
        .matcher(NO_METRIC.matcher(text).replaceAll(" "))
        .results()
        .map(MatchResult::group)
        .map(name -> name.replaceFirst("_bucket$", "")) // a bucket belongs to its histogram
        .filter(name -> !KEYWORDS.contains(name.toLowerCase(Locale.ROOT)));
  }

  /** Returns the names of recorded metrics, which contain colons. */
  Set<String> records() {
    return names()
        .filter(name -> name.contains(":"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  List<Selector> selectors() {
    List<Selector> selectors = new ArrayList<>();
    Matcher matcher = SELECTOR.matcher(text);
    while (matcher.find()) {
      String matchers = matcher.group(2) == null ? "" : matcher.group(2);
      selectors.add(new Selector(matcher.group(1), matchers));
    }
    return selectors;
  }

  /** Returns the labels of the result, as far as the outermost aggregation defines them. */
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

  private static Set<String> labelsOf(String metric) {
    Catalogue.Row row = Catalogue.rows().get(metric);
    return row == null ? Set.of() : row.labels();
  }

  private static Set<String> labels(String list) {
    return new TreeSet<>(List.of(list.trim().split("\\s*,\\s*", -1)));
  }
}
