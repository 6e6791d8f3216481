/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The number of responses that all connections of a load have received. */
final class LoadProgress {
  private final Object lock = new Object();

  /** Guarded by {@link #lock}. */
  private int responses;

  /** Guarded by {@link #lock}. */
  private boolean failed;

  /** Zero when the client that stops reading has sent its request and counts responses. */
  private final CountDownLatch slowClient = new CountDownLatch(1);

  void received() {
    synchronized (lock) {
      responses++;
      lock.notifyAll();
    }
  }

  /** Wakes the waiting connections, because there will be no further response. */
  void fail() {
    synchronized (lock) {
      failed = true;
      lock.notifyAll();
    }
    slowClient.countDown();
  }

  /**
   * Waits until the client that stops reading has called {@link #awaitMore}, or a connection has
   * failed. Otherwise, the remaining connections could receive most of their responses before that.
   */
  void awaitSlowClient(Duration limit) throws IOException, InterruptedException {
    if (!slowClient.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("the client that stops reading has not sent its request");
    }
  }

  /**
   * Waits until the other connections, which may begin from now on, have received this many more
   * responses.
   */
  void awaitMore(int count, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    synchronized (lock) {
      int target = responses + count;
      slowClient.countDown();
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
