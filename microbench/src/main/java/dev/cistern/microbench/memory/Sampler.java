/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that reads the meter periodically, for the peak and the mean during a run. */
final class Sampler {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Meter meter;
  private final Thread thread = new Thread(this::run, "sampler");
  private volatile boolean stopped;

  // Written by the sampler's thread, and read after it has ended.
  private Point peak = new Point(0, 0, 0, 0, 0);
  private Point sum = new Point(0, 0, 0, 0, 0);
  private long samples;

  Sampler(Meter meter) {
    this.meter = meter;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!stopped) {
      Point now = meter.now();
      samples++;
      peak =
          new Point(
              Math.max(peak.reserved(), now.reserved()),
              Math.max(peak.pinned(), now.pinned()),
              Math.max(peak.bean(), now.bean()),
              Math.max(peak.resident(), now.resident()),
              Math.max(peak.heap(), now.heap()));
      sum =
          new Point(
              sum.reserved() + now.reserved(),
              sum.pinned() + now.pinned(),
              sum.bean() + now.bean(),
              sum.resident() + now.resident(),
              sum.heap() + now.heap());
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  /**
   * Stops, and reports the maximum and the mean of each figure. The maxima may be from different
   * moments.
   */
  void end(Bed bed) throws InterruptedException {
    stopped = true;
    thread.join();
    bed.point("peak", peak);
    long count = Math.max(1, samples);
    bed.point(
        "mean",
        new Point(
            sum.reserved() / count,
            sum.pinned() / count,
            sum.bean() / count,
            sum.resident() / count,
            sum.heap() / count));
  }
}
