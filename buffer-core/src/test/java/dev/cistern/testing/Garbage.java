/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;

/** The garbage collector, waited for. */
public final class Garbage {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** One collection hands its references out in no order, but all before those of the next. */
  private static final int ROUNDS = 2;

  private Garbage() {}

  /** Returns when the references of all that is garbage now are in their queues. */
  public static void collect() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      ReferenceQueue<Object> queue = new ReferenceQueue<>();
      Reference<Object> probe = new WeakReference<>(new Object(), queue);
      try {
        await(queue);
      } finally {
        Reference.reachabilityFence(probe);
      }
    }
  }

  private static void await(ReferenceQueue<Object> queue) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    do {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("nothing was collected within " + LIMIT);
      }
      System.gc();
    } while (queue.remove(100) == null);
  }
}
