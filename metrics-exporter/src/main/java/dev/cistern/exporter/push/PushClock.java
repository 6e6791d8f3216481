/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Clock of a pushing thread, with its waits. */
interface PushClock {
  /** Returns the time by {@link System#nanoTime}. */
  long nanoTime();

  /** Returns the milliseconds since the epoch. */
  long millis();

  /**
   * Waits until a time.
   *
   * @return false if the thread must end
   */
  boolean sleepUntil(long nanoTime);

  /** The clock of the system. Closing it ends the waits. */
  final class OfSystem implements PushClock {
    private volatile boolean isClosed;

    /** The waiting thread; null before the first wait. */
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
        boolean unused = Thread.interrupted(); // hosts interrupt all threads: parking would spin
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
