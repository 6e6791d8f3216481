/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** A series in one registry. */
record BoundMeter(Series series, ToDoubleFunction<BoundMeter> source) {
  /**
   * Registers a meter for a series. The meter holds {@code source} strongly, because Micrometer
   * itself would not.
   */
  static Meter register(
      Series series, MeterRegistry registry, ToDoubleFunction<BoundMeter> source) {
    BoundMeter meter = new BoundMeter(series, source);
    Family family = series.family();
    if (family.isCounter()) {
      return FunctionCounter.builder(family.name(), meter, unused -> meter.value())
          .tags(series.tags())
          .baseUnit(family.unit())
          .description(family.help())
          .register(registry);
    }
    return Gauge.builder(family.name(), meter, BoundMeter::value)
        .strongReference(true)
        .tags(series.tags())
        .baseUnit(family.unit())
        .description(family.help())
        .register(registry);
  }

  private double value() {
    return source.applyAsDouble(this);
  }
}
