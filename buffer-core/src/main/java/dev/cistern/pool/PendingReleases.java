/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * Releases of a pool that failed, for whatever reason, and that the maintenance thread finishes.
 *
 * <p>The failure may be a {@link StackOverflowError} or a full Java heap. So a releasing thread
 * marks its slot and its group in an exception handler that only writes fields: calls, allocations
 * and monitors could fail, too (docs/decisions/0036). The maintenance thread looks for the marks.
 */
final class PendingReleases {
  /** Set last by a handler, cleared before the groups are looked through. */
  volatile boolean isAny;

  /** A failure since {@link #takeCause}: of several at the same time, any. */
  volatile @Nullable Throwable cause;

  // Guarded by this object's monitor.

  private boolean isAnyLeft;
  private long failures;
  private long finished;

  /** Counts a failure after which the slot is released all the same. */
  synchronized void addFailure(Throwable failed) {
    isAnyLeft = true;
    failures++;
    cause = failed;
  }

  /** Returns whether memory may be left after such a failure since the last call. */
  synchronized boolean takeIsAnyLeft() {
    boolean taken = isAnyLeft;
    isAnyLeft = false;
    return taken;
  }

  /** Returns a failure since the last call, for the log; null if there was none. */
  synchronized @Nullable Throwable takeCause() {
    Throwable taken = cause;
    cause = null;
    return taken;
  }

  /** Number of failures that releases kept from their callers, as far as they were found. */
  synchronized long failures() {
    return failures;
  }

  /** Number of releases that were repeated after they had failed. */
  synchronized long finished() {
    return finished;
  }

  /** Takes a slot whose release is pending, for one of several threads that may look for it. */
  synchronized char take(char[] links, int index) {
    char state = links[index];
    if (state != SlotLists.PENDING && state != SlotLists.PENDING_COUNTED) {
      return 0;
    }
    links[index] = 0;
    failures++;
    finished++;
    return state;
  }

  /** Finishes the pending releases of all groups. What fails again is pending for the next call. */
  void finish(BufferPool pool) {
    if (!isAny) {
      return;
    }
    StackRoom.require(); // a slot that was taken must not be lost
    isAny = false;
    boolean isDone = false;
    try {
      for (SlotGroup group : pool.groups()) {
        group.finishReleases();
      }
      isDone = true;
    } finally {
      if (!isDone) {
        isAny = true;
      }
    }
  }
}
