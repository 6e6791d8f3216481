/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for the garbage collector, with a deadline. */
final class Collected {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Collected() {}

  /** Collects garbage and polls until {@code done} returns true. */
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
   * Collects garbage and polls until the detector has noticed a buffer leaked for this purpose.
   * Does so twice, because one collection enqueues its references in any order, but before those of
   * the next collection.
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
