/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * Releases of a pool that failed, for whatever reason, and that the maintenance thread finishes.
 *
 * <p>The failure may be a {@link StackOverflowError} or a full Java heap. So a releasing thread
 * adds its slot group in an exception handler that neither calls a method nor allocates: it holds
 * this object's monitor and writes fields (docs/decisions/0036). The list is linked through the
 * groups.
 */
final class PendingReleases {
  // Guarded by this object's monitor, as are the fields of SlotGroup that belong to the list.

  @Nullable SlotGroup first;

  /** Failures that a release kept from its caller: whatever it left undone is done later. */
  long failures;

  /** The first failure since {@link #takeCause}; written in a handler, so by a plain write. */
  @Nullable Throwable cause;

  /** Slots whose release was finished here. */
  private long finished;

  synchronized void addFailure(Throwable failed) {
    failures++;
    if (cause == null) {
      cause = failed;
    }
  }

  /** Returns the first failure since the last call, for the log; null if there was none. */
  synchronized @Nullable Throwable takeCause() {
    Throwable taken = cause;
    cause = null;
    return taken;
  }

  /** Number of failures that releases kept from their callers. */
  synchronized long failures() {
    return failures;
  }

  /** Number of releases that were finished after they had failed. */
  synchronized long finished() {
    return finished;
  }

  private synchronized void addFinished(int slots) {
    finished += slots;
  }

  private synchronized @Nullable SlotGroup takeFirst(@Nullable SlotGroup last) {
    SlotGroup group = first;
    if (group == null || group == last) {
      return null;
    }
    first = group.nextPending;
    group.nextPending = null;
    group.isPending = false;
    return group;
  }

  /** Finishes what is listed now. What fails again is listed again, for the next call. */
  void finish() {
    if (isEmpty()) {
      return;
    }
    StackRoom.require(); // a group that was taken out must not be lost
    SlotGroup again = null;
    for (SlotGroup group = takeFirst(again); group != null; group = takeFirst(again)) {
      addFinished(group.finishReleases());
      if (group.isPending) {
        again = group;
      }
    }
  }

  private synchronized boolean isEmpty() {
    return first == null;
  }
}
