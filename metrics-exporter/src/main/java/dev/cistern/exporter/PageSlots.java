/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many threads make pages of one kind at a time, and how many wait for that. Pages of
 * other kinds have slots of their own, so that they never wait for pages of this kind.
 */
final class PageSlots {
  private static final int MAX_WAITING = 12;
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Semaphore places;
  private final Semaphore slots;
  private final long maxWaitNanos;

  /**
   * @param slots pages that are made at a time
   */
  PageSlots(int slots) {
    this(slots, MAX_WAITING, MAX_WAIT_NANOS);
  }

  PageSlots(int slots, int maxWaiting, long maxWaitNanos) {
    this.slots = new Semaphore(slots, true);
    this.places = new Semaphore(slots + maxWaiting);
    this.maxWaitNanos = maxWaitNanos;
  }

  /** Waits for a slot, and returns false if there is none in time, or too many threads wait. */
  boolean tryAcquire() {
    if (!places.tryAcquire()) {
      return false;
    }
    boolean isAcquired = false;
    try {
      isAcquired = acquireSlot();
      return isAcquired;
    } finally {
      if (!isAcquired) {
        places.release();
      }
    }
  }

  /** Interrupts are ignored: some hosts interrupt every thread. */
  private boolean acquireSlot() {
    long end = System.nanoTime() + maxWaitNanos;
    while (true) {
      try {
        return slots.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        // Waits on.
      }
    }
  }

  void release() {
    slots.release();
    places.release();
  }
}
