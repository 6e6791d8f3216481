/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LifetimeReport;
import java.util.Arrays;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lifetimes of the released samples of one kind of memory, by band. Any releasing thread adds
 * without a lock; reports read.
 */
final class LifetimeCounters {
  private final String memory;
  private final LongAdder[] samples = new LongAdder[LifetimeReport.ENDS + 1];

  /**
   * The sum of lifetimes in microseconds, because nanoseconds would overflow a {@code long} within
   * days.
   */
  private final DoubleAdder micros = new DoubleAdder();

  LifetimeCounters(String memory) {
    this.memory = memory;
    Arrays.setAll(samples, band -> new LongAdder());
  }

  /** Adds a released sample. */
  void add(long lifetimeNanos) {
    micros.add(Math.max(0, lifetimeNanos) / 1e3); // another core's clock can be behind
    samples[LifetimeReport.band(lifetimeNanos)].increment();
  }

  LifetimeReport report() {
    return new LifetimeReport(
        memory, Arrays.stream(samples).map(LongAdder::sum).toList(), Math.round(micros.sum()));
  }
}
