/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.BlockHoundPermission;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Steps of releases that must not fail, also if the Java heap is full. A thread that waits for a
 * lock, and a counter that several threads add to, allocate a few bytes, and throw {@link
 * OutOfMemoryError} if there are none. A release that fails so would lose its slot, or its count.
 *
 * <p>Both fail before they change anything, and need no memory once no other thread is in the way.
 */
final class OomRetry {
  private OomRetry() {}

  @SuppressWarnings("LockNotBeforeTry") // the caller unlocks it
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
