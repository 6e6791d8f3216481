/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.BlockHoundPermission;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What must not fail, also where the Java heap is full: a thread that waits for a lock, and a
 * counter that several threads add to, want a few bytes, and say {@link OutOfMemoryError} where
 * there are none. A release that fails so would lose its slot, or its count.
 *
 * <p>Both fail before they have changed anything, and need nothing once nobody else is in the way.
 */
final class OomRetry {
  private OomRetry() {}

  @SuppressWarnings("LockNotBeforeTry") // the caller gets it locked
  static void lock(ReentrantLock lock) {
    for (; ; ) {
      try {
        BlockHoundPermission.lock(lock);
        return;
      } catch (OutOfMemoryError noPlaceInTheQueue) {
        // tried again, without a pause, which BlockHound would refuse
      }
    }
  }

  static void increment(LongAdder counter) {
    for (; ; ) {
      try {
        counter.increment();
        return;
      } catch (OutOfMemoryError noCellOfItsOwn) {
        // tried again
      }
    }
  }
}
