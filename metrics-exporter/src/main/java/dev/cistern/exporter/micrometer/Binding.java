/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The meters in one registry. Guarded by the lock of all bindings. */
final class Binding {
  private static final System.Logger LOG = System.getLogger(Binding.class.getName());

  private final MeterRegistry registry;
  private final ToDoubleFunction<BoundMeter> source;
  private final Map<Series, Meter> meters = new HashMap<>();

  /** Series that the registry refused, so that they are not registered again at each reading. */
  private final Set<Series> refused = new HashSet<>();

  Binding(MeterRegistry registry, ToDoubleFunction<BoundMeter> source) {
    this.registry = registry;
    this.source = source;
  }

  MeterRegistry registry() {
    return registry;
  }

  /**
   * Registers meters of new series, and removes those of ended series. Returns the number of
   * refused series.
   */
  int show(Reading reading) {
    refused.retainAll(reading.series());
    removeAllBut(reading.series());
    int before = refused.size();
    for (Series series : reading.series()) {
      if (!meters.containsKey(series) && !refused.contains(series)) {
        add(series);
      }
    }
    return refused.size() - before;
  }

  private void add(Series series) {
    try {
      meters.put(series, BoundMeter.register(series, registry, source));
    } catch (RuntimeException e) {
      refused.add(series);
      LOG.log(Level.WARNING, "The registry refused " + series.family().name() + series.tags(), e);
    }
  }

  void removeAll() {
    removeAllBut(Set.of());
  }

  private void removeAllBut(Set<Series> kept) {
    meters.forEach(
        (series, meter) -> {
          if (!kept.contains(series)) {
            registry.remove(meter);
          }
        });
    meters.keySet().retainAll(kept);
  }
}
