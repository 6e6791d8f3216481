/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many threads make pages of one kind at a time. Pages of other kinds have slots of
 * their own, so that they never wait for pages of this kind.
 */
public final class PageSlots {
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Semaphore slots;

  /** A connection whose thread waits for a slot. */
  interface Waiter {
    /** From now on another connection may replace this one; its thread is interrupted then. */
    void startWaiting() throws IOException;

    /** Returns whether another connection has replaced this one. */
    boolean isReplaced();

    /**
     * The thread makes its page.
     *
     * @throws IOException if another connection has replaced this one
     */
    void endWaiting() throws IOException;
  }

  /**
   * @param slots pages that are made at a time
   */
  public PageSlots(int slots) {
    this.slots = new Semaphore(slots, true);
  }

  /**
   * Waits for a slot, and returns false if there is none in time.
   *
   * @throws IOException if another connection has replaced that of the caller
   */
  boolean tryAcquire(Waiter waiter) throws IOException {
    waiter.startWaiting();
    boolean isAcquired = acquireSlot(waiter);
    try {
      waiter.endWaiting();
      return isAcquired;
    } catch (IOException e) {
      if (isAcquired) {
        slots.release();
      }
      throw e;
    }
  }

  /** Other interrupts are ignored: some hosts interrupt every thread. */
  private boolean acquireSlot(Waiter waiter) {
    long end = System.nanoTime() + MAX_WAIT_NANOS;
    while (!waiter.isReplaced()) {
      try {
        return slots.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        // The loop finds out whether it is for this thread.
      }
    }
    return false;
  }

  void release() {
    slots.release();
  }
}
