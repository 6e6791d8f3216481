/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.BlockHoundPermission;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Operations that must not fail in a full Java heap. A thread that waits for a lock, and a counter
 * that several threads increment, need a few bytes and throw {@link OutOfMemoryError} without them.
 * A release that failed so would lose its slot, or its count.
 *
 * <p>Both fail before they change anything, and need no memory once no other thread is in the way.
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
