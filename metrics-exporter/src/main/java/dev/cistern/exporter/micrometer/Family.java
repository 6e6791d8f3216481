/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * All meters of one name. Micrometer's Prometheus registry converts the name to the one in
 * docs/metrics.md: it has dots instead of underscores, no {@code _total}, and no unit.
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

  /** Returns the counter of the values of a histogram. */
  Family count() {
    return new Family(true, name + ".count", null, help);
  }

  /** Returns the counter of the sum of a histogram. */
  Family sum() {
    return new Family(true, name + ".sum", unit, help);
  }
}
