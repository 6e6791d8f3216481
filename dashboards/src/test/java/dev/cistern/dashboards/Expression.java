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
  private static final Pattern EQUALS = Pattern.compile("(\\w+)=\"[^\"]*\"");
  private static final Pattern AGGREGATION =
      Pattern.compile("\\b(sum|max|min|count|avg|topk)\\s*(?:by \\(([^)]*)\\)\\s*)?\\(");
  private static final Pattern AGGREGATION_BEFORE =
      Pattern.compile("\\b(sum|max|min|count|avg|topk)\\s*(?:by \\(([^)]*)\\)\\s*)?$");

  /** Metrics that an exporter or a sidecar tells of itself: without {@code host_id}. */
  private static final Pattern OF_EXPORTERS =
      Pattern.compile(
          "cistern_(up|control_commands_total|(scrape|dump|dumps|http|web|sidecar)_\\w+)");

  private static final String SITE = "site";

  /** What may be added up within each way of scraping a process. */
  private static final Set<String> SUMMED_FIRST = Set.of(SITE, "age");

  /** A selector of one metric, and where it begins. */
  record Selector(String metric, String matchers, int start) {}

  /** An aggregation; its labels are none where it does not say by which. */
  private record Aggregation(String operation, Set<String> labels) {
    boolean deduplicates() {
      return operation.matches("max|min") && !labels.isEmpty();
    }
  }

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
      Set<String> ofMetric = new TreeSet<>(labelsOf(selector.metric()));
      boolean isOfSites = ofMetric.contains(SITE);
      EQUALS.matcher(selector.matchers()).results().forEach(m -> ofMetric.remove(m.group(1)));
      Set<String> needed = new TreeSet<>(process);
      if (withLabelsOfMetric || isOfSites) {
        needed.addAll(ofMetric);
      }
      if (isOfProcess(selector.metric())
          && !isCountedOnce(aggregationsAround(selector.start()), needed, isOfSites)) {
        twice.add(selector);
      }
    }
    return twice;
  }

  private static boolean isOfProcess(String metric) {
    return Catalogue.rows().containsKey(metric) && !OF_EXPORTERS.matcher(metric).matches();
  }

  private static boolean isCountedOnce(
      List<Aggregation> around, Set<String> needed, boolean isOfSites) {
    for (int i = 0; i < around.size(); i++) {
      if (around.get(i).deduplicates()) {
        Set<String> labels = around.get(i).labels();
        Set<String> lacking = new TreeSet<>(needed);
        lacking.removeAll(labels);
        if (lacking.isEmpty()) {
          boolean isTotal = isOfSites && !staysBySite(around.subList(i + 1, around.size()));
          return !(isTotal && labels.contains(SITE));
        }
        return isOfSites
            && SUMMED_FIRST.containsAll(lacking)
            && i > 0
            && isSumOfEachWay(around.get(i - 1), labels);
      }
    }
    return false;
  }

  /**
   * Two ways of scraping a process need not show the same sites, nor a buffer at the same age: only
   * the totals of the ways can be compared.
   */
  private static boolean isSumOfEachWay(Aggregation inner, Set<String> labels) {
    return inner.operation().equals("sum")
        && inner.labels().containsAll(labels)
        && inner.labels().containsAll(List.of("job", "instance"));
  }

  private static boolean staysBySite(List<Aggregation> outer) {
    return outer.stream()
        .filter(each -> !each.operation().equals("topk"))
        .allMatch(each -> each.labels().contains(SITE));
  }

  private static Set<String> labelsOf(String metric) {
    Catalogue.Row row = Catalogue.rows().get(metric);
    return row == null ? Set.of() : row.labels();
  }

  /** The aggregations around a place, from the inside out. */
  private List<Aggregation> aggregationsAround(int place) {
    List<Aggregation> around = new ArrayList<>();
    int closed = 0;
    for (int i = place - 1; i >= 0; i--) {
      if (text.charAt(i) == ')') {
        closed++;
      } else if (text.charAt(i) == '(' && closed > 0) {
        closed--;
      } else if (text.charAt(i) == '(') {
        Matcher before = AGGREGATION_BEFORE.matcher(text.substring(0, i));
        if (before.find()) {
          Set<String> labels = before.group(2) == null ? Set.of() : labels(before.group(2));
          around.add(new Aggregation(before.group(1), labels));
        }
      }
    }
    return around;
  }

  private static Set<String> labels(String list) {
    return new TreeSet<>(List.of(list.trim().split("\\s*,\\s*", -1)));
  }
}
