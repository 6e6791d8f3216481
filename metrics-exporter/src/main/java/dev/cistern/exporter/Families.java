/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The series of one scrape, gathered by family. One thread, one scrape. */
final class Families {
  /**
   * The order in which the client library sorts the series of a family, whose labels all have the
   * same names. It compares all names and values, character by character; what it finds in order
   * already it goes through only once.
   */
  private static final Comparator<Point> BY_LABELS =
      (left, right) -> KnownLabels.compareValues(left.labels(), right.labels());

  private final Map<Metric, List<Point>> points = new EnumMap<>(Metric.class);

  private final KnownLabels labels;

  private int size;

  /** Adds some series. */
  @FunctionalInterface
  interface Part {
    void addTo(Families families);
  }

  Families() {
    this(new KnownLabels());
  }

  /** For the series of one host, to which {@code labels} belongs. */
  Families(KnownLabels labels) {
    this.labels = labels;
  }

  /** A new gathering, for series of the same host. */
  Families empty() {
    return new Families(labels);
  }

  private record Point(Labels labels, double value, @Nullable Exemplar exemplar) {}

  /**
   * Adds one series.
   *
   * @param labelValues one for each label of {@code metric}, in its order
   */
  void add(Metric metric, double value, String... labelValues) {
    add(metric, value, null, labelValues);
  }

  /**
   * Adds one series of a counter with an example of what it counts.
   *
   * @param exemplar null where there is none
   */
  void add(Metric metric, double value, @Nullable Exemplar exemplar, String... labelValues) {
    points(metric).add(new Point(labels.of(metric, labelValues), value, exemplar));
    size++;
  }

  private List<Point> points(Metric metric) {
    List<Point> known = points.get(metric);
    if (known == null) {
      known = new ArrayList<>();
      points.put(metric, known);
    }
    return known;
  }

  /** Adds one series; beyond 2^53 the exposition formats cannot hold each integer. */
  void add(Metric metric, long value, String... labelValues) {
    add(metric, (double) value, labelValues);
  }

  /** Adds a series whose value is 1 and whose meaning is in its labels. */
  void addInfo(Metric metric, String... labelValues) {
    add(metric, 1L, labelValues);
  }

  /** Adds what another has gathered. */
  void addAll(Families other) {
    other.points.forEach((metric, series) -> points(metric).addAll(series));
    size += other.size;
  }

  /** A gathering of the series of some families only. */
  Families only(Set<Metric> metrics) {
    Families some = empty();
    points.forEach(
        (metric, series) -> {
          if (metrics.contains(metric)) {
            some.points(metric).addAll(series);
            some.size += series.size();
          }
        });
    return some;
  }

  /** Returns the number of series so far. */
  int size() {
    return size;
  }

  /** Returns the number of series so far of some families. */
  int size(Set<Metric> metrics) {
    int sum = 0;
    for (Metric metric : metrics) {
      List<Point> series = points.get(metric);
      sum += series == null ? 0 : series.size();
    }
    return sum;
  }

  /** Returns what was added; families without a series are left out. */
  MetricSnapshots build() {
    List<MetricSnapshot> snapshots = new ArrayList<>(points.size());
    points.forEach((metric, series) -> snapshots.add(snapshot(metric, series)));
    return new MetricSnapshots(snapshots);
  }

  private static MetricSnapshot snapshot(Metric metric, List<Point> series) {
    series.sort(BY_LABELS);
    return switch (metric.type()) {
      case GAUGE ->
          new GaugeSnapshot(
              metric.metadata(),
              series.stream()
                  .map(p -> new GaugeDataPointSnapshot(p.value(), p.labels(), null))
                  .toList());
      case COUNTER ->
          new CounterSnapshot(metric.metadata(), series.stream().map(Families::counter).toList());
      case INFO ->
          new InfoSnapshot(
              metric.metadata(),
              series.stream().map(p -> new InfoDataPointSnapshot(p.labels())).toList());
    };
  }

  /** What another process tells may be anything, and must not cost the others their scrape. */
  private static CounterDataPointSnapshot counter(Point point) {
    return new CounterDataPointSnapshot(
        Math.max(0, point.value()), point.labels(), point.exemplar(), 0);
  }
}
