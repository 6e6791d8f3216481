/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/** The calls that a tracker records of a watched buffer, in addition to the last release. */
public enum RecordingLevel {
  /** Records no calls. */
  RELEASE_ONLY,
  /** Records calls that change the reference count, and calls of {@code touch}. */
  COUNTS,
  /** Also records each access to the memory. */
  ALL;

  /** Records a call of {@code retain} or {@code release}, from {@link #COUNTS} on. */
  public void count(ResourceLeakTracker<?> tracker) {
    if (this == RELEASE_ONLY) {
      return;
    }
    if (tracker instanceof LeakTracker<?> leakTracker) {
      try {
        leakTracker.recordCount();
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
    } else {
      record(tracker, null);
    }
  }

  /** Records a call of {@code touch}, from {@link #COUNTS} on. */
  public void touch(ResourceLeakTracker<?> tracker, @Nullable Object hint) {
    if (this != RELEASE_ONLY) {
      record(tracker, hint);
    }
  }

  /** Records an access of the memory, at {@link #ALL}. */
  public void access(ResourceLeakTracker<?> tracker) {
    if (this == ALL) {
      record(tracker, null);
    }
  }

  /** Counts a failure, which must not prevent the use or the release of the buffer. */
  private static void record(ResourceLeakTracker<?> tracker, @Nullable Object hint) {
    try {
      tracker.record(hint);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }
}
