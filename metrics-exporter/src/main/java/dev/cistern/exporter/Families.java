/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The series of one scrape, gathered by family. One thread, one scrape. */
final class Families {
  private final Map<Metric, List<Point>> points = new EnumMap<>(Metric.class);

  private record Point(Labels labels, double value) {}

  /**
   * Adds one series.
   *
   * @param labelValues one for each label of {@code metric}, in its order
   */
  void add(Metric metric, double value, String... labelValues) {
    points
        .computeIfAbsent(metric, m -> new ArrayList<>())
        .add(new Point(Labels.of(metric.labels(), labelValues), value));
  }

  /** Adds one series; beyond 2^53 the exposition formats cannot hold each integer. */
  void add(Metric metric, long value, String... labelValues) {
    add(metric, (double) value, labelValues);
  }

  /** Adds the one series of an info metric, all whose meaning is in its labels. */
  void addInfo(Metric metric, String... labelValues) {
    add(metric, 1L, labelValues);
  }

  /** Returns the number of series so far. */
  int size() {
    return points.values().stream().mapToInt(List::size).sum();
  }

  /** Returns what was added; families without a series are left out. */
  MetricSnapshots build() {
    List<MetricSnapshot> snapshots = new ArrayList<>(points.size());
    points.forEach((metric, series) -> snapshots.add(snapshot(metric, series)));
    return new MetricSnapshots(snapshots);
  }

  private static MetricSnapshot snapshot(Metric metric, List<Point> series) {
    return switch (metric.type()) {
      case GAUGE ->
          new GaugeSnapshot(
              metric.metadata(),
              series.stream()
                  .map(p -> new GaugeDataPointSnapshot(p.value(), p.labels(), null))
                  .toList());
      case COUNTER ->
          new CounterSnapshot(
              metric.metadata(),
              series.stream()
                  .map(p -> new CounterDataPointSnapshot(p.value(), p.labels(), null, 0))
                  .toList());
      case INFO ->
          new InfoSnapshot(
              metric.metadata(),
              series.stream().map(p -> new InfoDataPointSnapshot(p.labels())).toList());
    };
  }
}
