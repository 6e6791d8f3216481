/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.internal.BlockHoundPermission;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Retries of the steps of releases that must not fail, even if the Java heap is full. A thread that
 * waits for a lock, and a counter that several threads increment, allocate a few bytes, and throw
 * {@link OutOfMemoryError} if the heap has none. Such a failure would lose the slot of a release,
 * or its count.
 *
 * <p>Both fail before they change anything, and need no memory when no other thread contends.
 */
final class OomRetry {
  private OomRetry() {}

  @SuppressWarnings("LockNotBeforeTry") // the caller unlocks
  static void lock(ReentrantLock lock) {
    for (; ; ) {
      try {
        BlockHoundPermission.lock(lock);
        return;
      } catch (OutOfMemoryError noPlaceInTheQueue) {
        // The loop tries again, without a pause, which BlockHound would refuse.
      }
    }
  }

  static void increment(LongAdder counter) {
    for (; ; ) {
      try {
        counter.increment();
        return;
      } catch (OutOfMemoryError noCellOfItsOwn) {
        // The loop tries again.
      }
    }
  }
}
