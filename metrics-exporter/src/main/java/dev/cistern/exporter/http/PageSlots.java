/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limit of the threads that make pages of one kind concurrently. Pages of other kinds have separate
 * slots, so that they never wait for pages of this kind.
 */
public final class PageSlots {
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Semaphore slots;

  /** A connection whose thread waits for a slot. */
  interface Waiter {
    /**
     * Starts a wait. Until it ends, another connection may replace this one and interrupt its
     * thread.
     */
    void startWaiting() throws IOException;

    /** Returns whether another connection has replaced this one. */
    boolean isReplaced();

    /**
     * Ends the wait, after which the thread makes its page.
     *
     * @throws IOException if another connection has replaced this one
     */
    void endWaiting() throws IOException;
  }

  /**
   * Creates the slots.
   *
   * @param slots maximum number of pages that are made concurrently
   */
  public PageSlots(int slots) {
    this.slots = new Semaphore(slots, true);
  }

  /**
   * Waits for a slot, and returns whether one was free before the time limit.
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

  /** Ignores interrupts that do not replace the connection: some hosts interrupt every thread. */
  private boolean acquireSlot(Waiter waiter) {
    long end = System.nanoTime() + MAX_WAIT_NANOS;
    while (!waiter.isReplaced()) {
      try {
        return slots.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        // The loop condition checks whether another connection has replaced this one.
      }
    }
    return false;
  }

  void release() {
    slots.release();
  }
}
