/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package com.example.shop;

import java.util.concurrent.TimeUnit;

/** A rate in bytes that one thread keeps. */
final class Pace {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final double bytesPerSecond;
  private final long start = System.nanoTime();
  private double bytes;

  Pace(double bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Waits until the rate permits these bytes and those before them. */
  void spend(long count) throws InterruptedException {
    bytes += count;
    long due = (long) (bytes / bytesPerSecond * NANOS) - (System.nanoTime() - start);
    if (due > 0) {
      TimeUnit.NANOSECONDS.sleep(due);
    }
  }
}
