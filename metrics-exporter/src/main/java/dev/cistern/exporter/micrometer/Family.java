/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * All meters of one name. The name is such that Micrometer's Prometheus registry makes the name of
 * docs/metrics.md of it again: dots for underscores, without {@code _total}, without its unit.
 *
 * @param unit null if there is none
 */
record Family(boolean isCounter, String name, @Nullable String unit, String help) {
  private static final String INFO = ".info";

  static Family of(MetricSnapshot snapshot) {
    MetricMetadata metadata = snapshot.getMetadata();
    String unit = metadata.hasUnit() ? metadata.getUnit().toString() : null;
    String name = metadata.getName();
    if (unit != null && name.endsWith("_" + unit)) {
      name = name.substring(0, name.length() - unit.length() - 1);
    }
    String dotted = name.replace('_', '.') + (snapshot instanceof InfoSnapshot ? INFO : "");
    return new Family(snapshot instanceof CounterSnapshot, dotted, unit, metadata.getHelp());
  }

  /** Returns the counter of what a histogram has counted. */
  Family count() {
    return new Family(true, name + ".count", null, help);
  }

  /** Returns the counter of the sum of a histogram. */
  Family sum() {
    return new Family(true, name + ".sum", unit, help);
  }
}
