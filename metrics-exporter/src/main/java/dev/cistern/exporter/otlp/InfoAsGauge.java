/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.otlp;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

/**
 * A collector's metrics, with info metrics as gauges that are 1: OTLP has no info metrics, and the
 * exporter would make sums of them whose names lack {@code _info}.
 */
record InfoAsGauge(MultiCollector collector) implements MultiCollector {
  @Override
  public MetricSnapshots collect() {
    return new MetricSnapshots(collector.collect().stream().map(InfoAsGauge::withoutInfo).toList());
  }

  private static MetricSnapshot withoutInfo(MetricSnapshot snapshot) {
    if (!(snapshot instanceof InfoSnapshot info)) {
      return snapshot;
    }
    MetricMetadata metadata = info.getMetadata();
    return new GaugeSnapshot(
        new MetricMetadata(metadata.getName() + "_info", metadata.getHelp()),
        info.getDataPoints().stream()
            .map(point -> new GaugeDataPointSnapshot(1, point.getLabels(), null))
            .toList());
  }
}
