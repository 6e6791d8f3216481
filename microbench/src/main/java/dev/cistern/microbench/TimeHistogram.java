/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.Arrays;

/** Counts of times. The width of a bucket is up to a 64th of its times. */
final class TimeHistogram {
  private static final int PRECISION_BITS = 6;

  private final long[] counts = new long[(Long.SIZE - PRECISION_BITS) << PRECISION_BITS];

  /** Counts one time of 0 or more nanoseconds. */
  void add(long nanos) {
    int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - PRECISION_BITS);
    counts[(shift << PRECISION_BITS) + (int) (nanos >>> shift)]++;
  }

  void clear() {
    Arrays.fill(counts, 0);
  }

  /**
   * Returns the smallest time, rounded down to its bucket, that a given share of all times does not
   * exceed.
   *
   * @param share above 0, up to 1
   * @return nanoseconds; {@code NaN} without times
   */
  double percentile(double share) {
    long wanted = (long) Math.ceil(share * Arrays.stream(counts).sum());
    long seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      seen += counts[bucket];
      if (seen >= wanted && seen > 0) {
        int shift = Math.max(0, (bucket >>> PRECISION_BITS) - 1);
        return (long) (bucket - (shift << PRECISION_BITS)) << shift;
      }
    }
    return Double.NaN;
  }
}
