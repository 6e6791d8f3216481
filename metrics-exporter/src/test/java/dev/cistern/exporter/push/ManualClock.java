/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a wait advances at once, up to an end. */
final class ManualClock implements PushClock {
  private static final long START_MILLIS = 1_800_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final long endNanos;

  ManualClock(Duration end) {
    endNanos = end.toNanos();
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long millis() {
    return START_MILLIS + nanos.get() / 1_000_000;
  }

  @Override
  public boolean sleepUntil(long nanoTime) {
    if (nanoTime > endNanos) {
      return false;
    }
    nanos.accumulateAndGet(nanoTime, Math::max);
    return true;
  }

  /** Advances the clock. */
  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  double seconds() {
    return nanos.get() / 1e9;
  }
}
