/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * The lifetimes of the released samples of one kind of memory since start. An immutable copy of
 * counters that never decrease.
 *
 * <p>A lifetime begins when a buffer gets its memory and ends when it is released. In a pool, a
 * buffer that moves to another slot ends one lifetime and begins another. Buffers that are still
 * live, leaked buffers, and buffers whose tracking ended early are not counted.
 *
 * <p>The sampler selects bytes: a buffer is sampled with a probability that is nearly proportional
 * to its size. So these are the lifetimes of allocated bytes rather than those of buffers, as far
 * as the sampling interval stayed the same.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param samples number of released samples in each band. Band {@code i} ends, inclusively, at
 *     2<sup>i + {@link #FIRST_EXPONENT}</sup> seconds; the last has no end
 * @param micros sum of their lifetimes, in microseconds
 */
public record LifetimeReport(String memory, List<Long> samples, long micros) {
  /** The exponent of the end of the first band, which is a power of two in seconds: 0.98 ms. */
  public static final int FIRST_EXPONENT = -10;

  /**
   * Number of bands with an end, of which the last ends at 1,024 seconds. One band without an end
   * follows.
   */
  public static final int ENDS = 21;

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if it does not have one number for each band
   */
  public LifetimeReport {
    samples = List.copyOf(samples);
    if (samples.size() != ENDS + 1) {
      throw new IllegalArgumentException(
          "samples: " + samples.size() + " bands (expected: " + (ENDS + 1) + ")");
    }
  }

  /**
   * Returns the index of the band of a lifetime.
   *
   * @param nanos the lifetime in nanoseconds
   */
  public static int band(long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    int band = 0;
    while (band < ENDS && seconds > Math.scalb(1.0, FIRST_EXPONENT + band)) {
      band++;
    }
    return band;
  }
}
