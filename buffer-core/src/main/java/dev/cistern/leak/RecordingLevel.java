/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/** The records of a watched buffer, except for its last release. */
public enum Recorded {
  /** Nothing. */
  RELEASE_ONLY,
  /** What changes the count, and {@code touch}. */
  COUNTS,
  /** Each access of the memory, too. */
  ALL;

  /** A call of {@code retain} or {@code release}. */
  public void count(ResourceLeakTracker<?> tracker) {
    if (this == RELEASE_ONLY) {
      return;
    }
    if (tracker instanceof LeakTracker<?> ours) {
      try {
        ours.recordCount();
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
    } else {
      record(tracker, null);
    }
  }

  /** A call of {@code touch}. */
  public void touch(ResourceLeakTracker<?> tracker, @Nullable Object hint) {
    if (this != RELEASE_ONLY) {
      record(tracker, hint);
    }
  }

  /** An access of the memory. */
  public void access(ResourceLeakTracker<?> tracker) {
    if (this == ALL) {
      record(tracker, null);
    }
  }

  /** A failure does not keep a buffer from being used, and least of all from being released. */
  private static void record(ResourceLeakTracker<?> tracker, @Nullable Object hint) {
    try {
      tracker.record(hint);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }
}
