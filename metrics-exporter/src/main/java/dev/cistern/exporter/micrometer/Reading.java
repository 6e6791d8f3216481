/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values of all series at one moment. Immutable. */
final class Reading {
  private static final Set<String> HOST_LABELS = Set.of("host_id", "application");

  private final Map<Series, Double> values;
  private final long atNanos;

  private Reading(Map<Series, Double> values, long atNanos) {
    this.values = values;
    this.atNanos = atNanos;
  }

  /** Returns an empty reading. */
  static Reading none(long nowNanos) {
    return new Reading(Map.of(), nowNanos);
  }

  /**
   * Returns the values of a scrape.
   *
   * @param hostTags whether the labels of the host become tags
   */
  static Reading of(MetricSnapshots scrape, boolean hostTags, long nowNanos) {
    Map<Series, Double> values = new HashMap<>();
    for (MetricSnapshot snapshot : scrape) {
      Family family = Family.of(snapshot);
      for (DataPointSnapshot point : snapshot.getDataPoints()) {
        Tags tags = tags(point.getLabels(), hostTags);
        if (point instanceof HistogramDataPointSnapshot histogram) {
          values.put(new Series(family.count(), tags), (double) histogram.getCount());
          values.put(new Series(family.sum(), tags), histogram.getSum());
        } else {
          values.put(new Series(family, tags), value(point));
        }
      }
    }
    return new Reading(values, nowNanos);
  }

  private static Tags tags(Labels labels, boolean hostTags) {
    List<Tag> tags = new ArrayList<>(labels.size());
    for (Label label : labels) {
      if (hostTags || !HOST_LABELS.contains(label.getName())) {
        tags.add(Tag.of(label.getName(), label.getValue()));
      }
    }
    return Tags.of(tags);
  }

  private static double value(DataPointSnapshot point) {
    if (point instanceof CounterDataPointSnapshot counter) {
      return counter.getValue();
    }
    return point instanceof GaugeDataPointSnapshot gauge ? gauge.getValue() : 1;
  }

  /**
   * Returns this reading with counters raised to their values in {@code before}, if they are lower.
   */
  Reading after(Reading before) {
    Map<Series, Double> later = new HashMap<>(values);
    later.replaceAll(
        (series, value) ->
            series.family().isCounter() ? Math.max(value, before.value(series)) : value);
    return new Reading(later, atNanos);
  }

  /** Returns this reading with the values of all other series from {@code before}. */
  Reading over(Reading before) {
    Map<Series, Double> all = new HashMap<>(before.values);
    all.putAll(values);
    return new Reading(all, atNanos);
  }

  /** Returns the value of a series; 0 if the series is missing. */
  double value(Series series) {
    return values.getOrDefault(series, 0.0);
  }

  Set<Series> series() {
    return values.keySet();
  }

  long ageNanos(long nowNanos) {
    return nowNanos - atNanos;
  }
}
