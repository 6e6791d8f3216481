/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * An estimate of what is live, from samples: each counts for the inverse of the chance that it was
 * drawn (Horvitz and Thompson 1952), so that the sums are unbiased.
 *
 * @param samples sampled buffers that are not released
 * @param buffers estimate of all such buffers
 * @param buffersVariance estimated variance of that
 * @param bytes estimate of the bytes that they asked for
 * @param bytesVariance estimated variance of that
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

  /** Nothing is live. */
  public static final LiveEstimate NOTHING =
      new LiveEstimate(0, 0, 0, 0, 0, List.of(0.0, 0.0, 0.0, 0.0));

  /**
   * Copies the ages.
   *
   * @throws IllegalArgumentException if there are more or fewer than there are bands
   */
  public LiveEstimate {
    bytesByAge = List.copyOf(bytesByAge);
    if (bytesByAge.size() != BANDS) {
      throw new IllegalArgumentException(
          "bytesByAge: " + bytesByAge.size() + " (expected: " + BANDS + ")");
    }
  }

  /** The standard error of {@link #bytes()}, in bytes. */
  public double bytesError() {
    return Math.sqrt(bytesVariance);
  }

  /** The standard error of {@link #buffers()}. */
  public double buffersError() {
    return Math.sqrt(buffersVariance);
  }

  /** The bytes of one band. */
  public double bytes(Age age) {
    return bytesByAge.get(age.ordinal());
  }

  /** This and another estimate together; samples are drawn independently, so variances add. */
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
