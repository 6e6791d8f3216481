/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import java.util.concurrent.TimeUnit;

/**
 * Failed allocations over time. Only increases count, because the sum over pools decreases when a
 * pool ends.
 */
final class FailureCount {
  private static final long RECENT_SECONDS = TimeUnit.MINUTES.toSeconds(10);

  private final TimeSeries series = new TimeSeries();
  private long last;

  /** Adds a reading: failures of all pools since their start. */
  void add(long millis, long sum) {
    series.add(millis, series.now() + Math.max(0, sum - last));
    last = sum;
  }

  /** Returns the failures since the start. */
  long all() {
    return series.now();
  }

  /** Returns the failures of the last ten minutes, but not those before the first reading. */
  long recent() {
    return series.now() - series.min(RECENT_SECONDS);
  }
}
