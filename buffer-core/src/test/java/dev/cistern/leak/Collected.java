/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for the garbage collector, with a deadline. */
final class Collected {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Collected() {}

  /** Collects garbage and polls until {@code done} says so. */
  static void until(LeakDetector detector, BooleanSupplier done) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not reached within " + LIMIT);
      }
      System.gc();
      detector.poll();
      Thread.onSpinWait();
    }
  }

  /**
   * Collects garbage and polls until a buffer leaked for this purpose has been noticed; twice,
   * since one collection hands its references out in no order, but all before the next one's.
   */
  static void everythingBefore(LeakDetector detector) {
    for (int round = 0; round < 2; round++) {
      LeakStore probes = new LeakStore(1, line -> {});
      LeakDetector probe = new LeakDetector("probe", probes);
      probe.track(new Object(), Sample.byBytes("heap", Sample.POOLED, 1, 1, 1));
      until(probe, () -> !probes.entries().isEmpty());
    }
    detector.poll();
  }
}
