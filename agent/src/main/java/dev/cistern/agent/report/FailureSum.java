/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.util.Map;
import java.util.WeakHashMap;

/** The sum of the agent's failures of all copies, including collected ones. It never decreases. */
final class FailureSum {
  /** Last number of each copy. Guarded by this object's lock. */
  private final Map<Object, Long> seen = new WeakHashMap<>();

  private long sum;

  /**
   * Adds the new failures of a copy.
   *
   * @param failures number since the copy was found; less than before if its bridge could not
   *     report
   */
  synchronized void update(Object copy, long failures) {
    long before = seen.getOrDefault(copy, 0L);
    if (failures > before) {
      sum += failures - before;
      seen.put(copy, failures);
    }
  }

  /** Returns the number of failures of all copies. */
  synchronized long sum() {
    return sum;
  }
}
