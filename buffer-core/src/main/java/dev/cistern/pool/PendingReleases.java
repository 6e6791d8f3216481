/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * The failed releases of a pool, which the maintenance thread finishes.
 *
 * <p>The cause may be a {@link StackOverflowError} or a full Java heap. So a releasing thread marks
 * its slot and its group in an exception handler that only writes fields, because calls,
 * allocations and monitors could also fail (docs/internals/decisions/0036). The maintenance thread
 * searches the marks.
 */
final class PendingReleases {
  /** Whether a group has a mark. A handler sets it last; {@link #finish} clears it first. */
  volatile boolean isAny;

  /** One of the failures since {@link #takeCause}. */
  volatile @Nullable Throwable cause;

  // Guarded by this object's monitor.

  private long failures;
  private long finished;

  /** Counts a failure after which the slot is still released. */
  synchronized void addFailure(Throwable failed) {
    failures++;
    cause = failed;
  }

  /** Returns a failure since the last call, for the log; null if there was none. */
  synchronized @Nullable Throwable takeCause() {
    Throwable taken = cause;
    cause = null;
    return taken;
  }

  /** Returns the number of failures that were found and that releases did not report. */
  synchronized long failures() {
    return failures;
  }

  /** Returns the number of failed releases that were repeated. */
  synchronized long finished() {
    return finished;
  }

  /**
   * Claims a slot whose release is pending, because several threads may find it at the same time.
   * Returns the mark of the slot.
   */
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

  /** Finishes the pending releases of all groups. The next call repeats those that fail again. */
  void finish(BufferPool pool) {
    if (!isAny) {
      return;
    }
    StackRoom.require(); // otherwise a claimed slot could be lost
    isAny = false;
    try {
      for (SlotGroup group : pool.groups()) {
        group.finishReleases();
      }
    } catch (Throwable failed) {
      isAny = true;
      throw failed;
    }
  }
}
