/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sum of the live bytes of one kind of memory, and its maximum within the last one to two
 * windows of a second. Thread-safe; an addition takes the lock only when a window ends.
 *
 * <p>Additions, reports and ticks end a window that is over. So a late tick does not extend a
 * window in which the sum changes.
 */
final class LivePeak {
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong liveBytes = new AtomicLong();

  /** The maximum of the current window. Any thread raises it. */
  private final AtomicLong peakBytes = new AtomicLong();

  /** The start of the current window. Written under this object's lock; any thread reads it. */
  private volatile long windowStartNanos;

  /** The maximum of the previous window. Guarded by this object's lock. */
  private long earlierPeakBytes;

  LivePeak(long nowNanos) {
    windowStartNanos = nowNanos;
  }

  /** Adds live bytes; a negative number subtracts. */
  void add(long bytes, long nowNanos) {
    if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
      roll(nowNanos);
    }
    long live = liveBytes.addAndGet(bytes);
    if (live > peakBytes.get()) {
      raise(live);
    }
  }

  private void raise(long bytes) {
    long unused = peakBytes.accumulateAndGet(bytes, Math::max);
  }

  /** Begins a new window if the current one is over. */
  synchronized void roll(long nowNanos) {
    long elapsedNanos = nowNanos - windowStartNanos;
    if (elapsedNanos < WINDOW_NANOS) {
      return;
    }
    // Not set to the live bytes at once: an addition between would be overwritten.
    long endedPeakBytes = peakBytes.getAndSet(0);
    long live = liveBytes.get();
    raise(live);
    // After two windows, the sum has not changed since the first of them ended.
    earlierPeakBytes = elapsedNanos >= 2 * WINDOW_NANOS ? live : endedPeakBytes;
    windowStartNanos = nowNanos;
  }

  /** Returns the maximum of the current window and of the previous one. */
  synchronized long peakBytes(long nowNanos) {
    roll(nowNanos);
    return Math.max(0, Math.max(earlierPeakBytes, peakBytes.get()));
  }
}
