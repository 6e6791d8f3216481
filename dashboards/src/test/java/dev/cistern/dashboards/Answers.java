/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The results of all queries of a dashboard. */
final class Answers {
  private final List<Answer> answers = new ArrayList<>();

  /**
   * The results of one query.
   *
   * @param millis the time of both requests
   */
  record Answer(PanelQueries.Target target, List<Series> instant, List<Series> range, long millis) {
    /** Returns the result that the panel shows: instant or range. */
    List<Series> shown() {
      return target.instant() ? instant : range;
    }

    boolean isEmpty() {
      return instant.isEmpty() || range.isEmpty();
    }

    /**
     * Returns the mean of the series with these labels over the span, or 0 if there is no such
     * series.
     */
    double mean(Map<String, String> labels) {
      return range.stream()
          .filter(series -> series.labels().equals(labels))
          .mapToDouble(Series::mean)
          .sum();
    }

    /** Returns values that are not finite, and series without the labels of the legend. */
    List<String> faults(Set<String> expectedLabels) {
      List<String> faults = new ArrayList<>();
      for (Series series : all()) {
        if (!series.labels().keySet().containsAll(expectedLabels)) {
          faults.add(
              target.name() + ": lacks some labels of " + expectedLabels + ": " + series.labels());
        }
        if (series.points().stream().anyMatch(point -> !Double.isFinite(point.value()))) {
          faults.add(target.name() + ": not finite: " + series);
        }
      }
      return faults;
    }

    private List<Series> all() {
      List<Series> all = new ArrayList<>(instant);
      all.addAll(range);
      return all;
    }
  }

  /** Runs each query of the panels, both for the end of the span and for the whole span. */
  static Answers of(LivePrometheus prometheus, PanelQueries queries, Span span) {
    Answers answers = new Answers();
    for (PanelQueries.Target target : queries.targets()) {
      long start = System.nanoTime();
      List<Series> instant = prometheus.instant(target.query(), span.endSeconds());
      List<Series> range = prometheus.range(target.query(), span);
      long millis = (System.nanoTime() - start) / 1_000_000;
      answers.answers.add(new Answer(target, instant, range, millis));
    }
    return answers;
  }

  List<Answer> all() {
    return answers;
  }

  /** Returns the results of each panel, by its identifier. */
  Map<Integer, List<Answer>> byPanel() {
    Map<Integer, List<Answer>> byPanel = new TreeMap<>();
    for (Answer answer : answers) {
      byPanel
          .computeIfAbsent(answer.target().panel().getInt("id"), id -> new ArrayList<>())
          .add(answer);
    }
    return byPanel;
  }
}
