/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** Waits for effects of garbage collections. */
public final class GarbageCollection {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private GarbageCollection() {}

  /** Collects garbage again and again until a condition is met; fails after 30 s. */
  public static void until(Callable<Boolean> condition) {
    until(Awaitility.await(), condition);
  }

  /**
   * Collects garbage again and again until a condition is met; fails after 30 s.
   *
   * @param what the awaited event, for the message of the failure
   */
  public static void until(String what, Callable<Boolean> condition) {
    until(Awaitility.await(what), condition);
  }

  private static void until(ConditionFactory waiting, Callable<Boolean> condition) {
    limited(waiting)
        .until(
            () -> {
              System.gc();
              return condition.call();
            });
  }

  /** Collects garbage again and again until an assertion holds; fails after 30 s. */
  public static void untilAsserted(ThrowingRunnable assertion) {
    limited(Awaitility.await())
        .untilAsserted(
            () -> {
              System.gc();
              assertion.run();
            });
  }

  private static ConditionFactory limited(ConditionFactory waiting) {
    return waiting.atMost(LIMIT).pollInterval(POLL_INTERVAL);
  }
}
