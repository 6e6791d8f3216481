/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for latches, in any thread of a test. */
public final class Latches {
  private static final long LIMIT_SECONDS = 20;

  private Latches() {}

  /** Waits until a latch is open; fails after 20 s, and if the thread is interrupted. */
  public static void await(CountDownLatch latch) {
    await(latch, LIMIT_SECONDS);
  }

  /** Waits until a latch is open; fails at the time limit, and if the thread is interrupted. */
  public static void await(CountDownLatch latch, long limitSeconds) {
    try {
      if (!latch.await(limitSeconds, TimeUnit.SECONDS)) {
        throw new AssertionError("the latch did not open within " + limitSeconds + " s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while it waited for a latch", e);
    }
  }
}
