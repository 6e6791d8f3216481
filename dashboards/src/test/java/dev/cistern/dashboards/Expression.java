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

/** What can be said of a query in PromQL without a parser, in the forms that are used here. */
record Expression(String text) {

  /** What is no metric: strings, matchers, ranges, and the labels of joins and aggregations. */
  private static final Pattern NO_METRIC =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*\"|\\{[^}]*}|\\[[^]]*]"
              + "|\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

  /** A name that is not the rest of a number, and no function. */
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

  /** All metrics that are named, ours or not, but for those that rules record. */
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
        .map(name -> name.replaceFirst("_bucket$", "")) // of a histogram
        .filter(name -> !KEYWORDS.contains(name.toLowerCase(Locale.ROOT)));
  }

  /** Names of recorded metrics, which have colons. */
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

  private static Set<String> labelsOf(String metric) {
    Catalogue.Row row = Catalogue.rows().get(metric);
    return row == null ? Set.of() : row.labels();
  }

  private static Set<String> labels(String list) {
    return new TreeSet<>(List.of(list.trim().split("\\s*,\\s*", -1)));
  }
}
