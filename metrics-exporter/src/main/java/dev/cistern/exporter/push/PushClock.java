/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The time, and the waits of a thread that pushes. */
interface PushClock {
  /** Returns a time as {@link System#nanoTime}. */
  long nanoTime();

  /** Returns the milliseconds since the epoch. */
  long millis();

  /**
   * Waits until a time.
   *
   * @return false if the thread is to end
   */
  boolean sleepUntil(long nanoTime);

  /** The clock of the system, whose waits end when it is closed. */
  final class OfSystem implements PushClock {
    private volatile boolean isClosed;

    /** The thread that waits; null until it does for the first time. */
    private volatile @Nullable Thread waiting;

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public long millis() {
      return System.currentTimeMillis();
    }

    @Override
    public boolean sleepUntil(long nanoTime) {
      waiting = Thread.currentThread();
      for (long left; !isClosed && (left = nanoTime - System.nanoTime()) > 0; ) {
        boolean unused = Thread.interrupted(); // by a host that interrupts all: parking would spin
        LockSupport.parkNanos(this, left);
      }
      return !isClosed;
    }

    /** Ends the waits. */
    void close() {
      isClosed = true;
      LockSupport.unpark(waiting);
    }
  }
}
