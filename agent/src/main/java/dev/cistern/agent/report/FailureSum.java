/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * The agent's failures with all copies together, those that are gone included: it never runs
 * backwards.
 */
final class FailureSum {
  /** What each copy had when it was last seen. Guarded by this object's lock. */
  private final Map<Object, Long> seen = new WeakHashMap<>();

  private long sum;

  /**
   * Takes down what a copy has.
   *
   * @param failures since it was found; less than before if its bridge failed to report
   */
  synchronized void saw(Object copy, long failures) {
    long before = seen.getOrDefault(copy, 0L);
    if (failures > before) {
      sum += failures - before;
      seen.put(copy, failures);
    }
  }

  /** Of all copies so far. */
  synchronized long sum() {
    return sum;
  }
}
