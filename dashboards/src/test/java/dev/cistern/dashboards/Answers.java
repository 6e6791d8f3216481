/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What Prometheus answers to all queries of a dashboard. */
final class Answers {
  private final List<Answer> answers = new ArrayList<>();

  /**
   * The answers to one query.
   *
   * @param millis the time that both took
   */
  record Answer(PanelQueries.Target target, List<Series> instant, List<Series> range, long millis) {
    /** Those of the way in which the panel asks. */
    List<Series> shown() {
      return target.instant() ? instant : range;
    }

    boolean isEmpty() {
      return instant.isEmpty() || range.isEmpty();
    }

    /** Mean over the span of the series with these labels; 0 where there is none. */
    double mean(Map<String, String> labels) {
      return range.stream()
          .filter(series -> series.labels().equals(labels))
          .mapToDouble(Series::mean)
          .sum();
    }

    /** Values that are not finite, and series that have not the labels of the legend. */
    List<String> faults(Set<String> wantedLabels) {
      List<String> faults = new ArrayList<>();
      for (Series series : all()) {
        if (!series.labels().keySet().containsAll(wantedLabels)) {
          faults.add(
              target.name() + ": has not the labels " + wantedLabels + ": " + series.labels());
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

  /** Asks each query of the panels, for one moment, the end, and for the whole span. */
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

  /** The answers of each panel, by its identifier. */
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
