/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * An estimate of live buffers from samples. Each sample counts with the inverse of the probability
 * of its selection (Horvitz and Thompson 1952), so the sums are unbiased.
 *
 * @param samples number of sampled buffers that are not released
 * @param buffers estimated number of all live buffers
 * @param buffersVariance estimated variance of {@code buffers}
 * @param bytes estimated bytes that these buffers requested
 * @param bytesVariance estimated variance of {@code bytes}, in square bytes
 * @param bytesByAge the bytes by {@link Age}, in its order
 */
public record LiveEstimate(
    long samples,
    double buffers,
    double buffersVariance,
    double bytes,
    double bytesVariance,
    List<Double> bytesByAge) {
  private static final int BANDS = Age.values().length;

  /** The estimate of no live buffers. */
  public static final LiveEstimate NOTHING =
      new LiveEstimate(0, 0, 0, 0, 0, List.of(0.0, 0.0, 0.0, 0.0));

  /**
   * Copies the ages.
   *
   * @throws IllegalArgumentException if the number of ages is not the number of bands
   */
  public LiveEstimate {
    bytesByAge = List.copyOf(bytesByAge);
    if (bytesByAge.size() != BANDS) {
      throw new IllegalArgumentException(
          "bytesByAge: " + bytesByAge.size() + " (expected: " + BANDS + ")");
    }
  }

  /** Returns the standard error of {@link #bytes()}, in bytes. */
  public double bytesError() {
    return Math.sqrt(bytesVariance);
  }

  /** Returns the standard error of {@link #buffers()}. */
  public double buffersError() {
    return Math.sqrt(buffersVariance);
  }

  /** Returns the bytes of one band. */
  public double bytes(Age age) {
    return bytesByAge.get(age.ordinal());
  }

  /**
   * Returns the sum of this estimate and another one. Samples are independent, so variances add.
   */
  public LiveEstimate plus(LiveEstimate other) {
    Double[] ages = new Double[bytesByAge.size()];
    for (int i = 0; i < ages.length; i++) {
      ages[i] = bytesByAge.get(i) + other.bytesByAge.get(i);
    }
    return new LiveEstimate(
        samples + other.samples,
        buffers + other.buffers,
        buffersVariance + other.buffersVariance,
        bytes + other.bytes,
        bytesVariance + other.bytesVariance,
        List.of(ages));
  }
}
