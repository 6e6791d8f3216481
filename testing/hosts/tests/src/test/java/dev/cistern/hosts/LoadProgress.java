/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.IOException;
import java.time.Duration;

/** Number of responses that all connections of a load have received. */
final class LoadProgress {
  private final Object lock = new Object();

  /** Guarded by {@link #lock}. */
  private int responses;

  /** Guarded by {@link #lock}. */
  private boolean failed;

  void received() {
    synchronized (lock) {
      responses++;
      lock.notifyAll();
    }
  }

  /** Wakes the connections that wait, because there will be no further response. */
  void fail() {
    synchronized (lock) {
      failed = true;
      lock.notifyAll();
    }
  }

  /** Waits until the other connections have received this many more responses. */
  void awaitMore(int count, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (lock) {
      int target = responses + count;
      while (responses < target) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (failed || millis <= 0) {
          throw new IOException("only " + responses + " of " + target + " responses");
        }
        lock.wait(millis);
      }
    }
  }
}
