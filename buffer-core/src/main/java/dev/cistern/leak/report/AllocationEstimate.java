/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * An estimate of allocations since start. Each selected sample counts with the inverse of the
 * probability that it was sampled and selected (Horvitz and Thompson 1952), so the sums are
 * unbiased. The variances are estimated from the same samples, which are independent.
 *
 * @param samples number of selected samples
 * @param buffers estimated number of allocated buffers
 * @param buffersVariance estimated variance of {@code buffers}
 * @param bytes estimated number of bytes that the allocations requested
 * @param bytesVariance estimated variance of {@code bytes}, in square bytes
 */
public record AllocationEstimate(
    long samples, double buffers, double buffersVariance, double bytes, double bytesVariance) {
  /** The estimate of no allocations. */
  public static final AllocationEstimate NOTHING = new AllocationEstimate(0, 0, 0, 0, 0);

  /** Returns the standard error of {@link #bytes()}, in bytes. */
  public double bytesError() {
    return Math.sqrt(bytesVariance);
  }

  /** Returns the standard error of {@link #buffers()}. */
  public double buffersError() {
    return Math.sqrt(buffersVariance);
  }

  /** Returns the sum of two estimates of different samples; their variances add. */
  public AllocationEstimate plus(AllocationEstimate other) {
    return new AllocationEstimate(
        samples + other.samples,
        buffers + other.buffers,
        buffersVariance + other.buffersVariance,
        bytes + other.bytes,
        bytesVariance + other.bytesVariance);
  }
}
