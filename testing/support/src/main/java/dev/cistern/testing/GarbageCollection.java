/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what follows from garbage collections. */
public final class GarbageCollection {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private GarbageCollection() {}

  /** Collects garbage again and again until a condition is met; fails after a minute. */
  public static void until(Callable<Boolean> condition) {
    waiting()
        .until(
            () -> {
              System.gc();
              return condition.call();
            });
  }

  /** Collects garbage again and again until an assertion holds; fails after a minute. */
  public static void untilAsserted(ThrowingRunnable assertion) {
    waiting()
        .untilAsserted(
            () -> {
              System.gc();
              assertion.run();
            });
  }

  private static ConditionFactory waiting() {
    return Awaitility.await().atMost(LIMIT).pollInterval(POLL_INTERVAL);
  }
}
