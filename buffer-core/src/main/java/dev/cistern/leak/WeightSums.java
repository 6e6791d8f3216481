/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.AllocationEstimate;

/**
 * Sums of samples, each weighted with the inverse of its inclusion probability, and the estimated
 * variances of these sums (Horvitz and Thompson 1952). The caller synchronizes.
 */
final class WeightSums {
  long samples;
  double buffers;
  double buffersVariance;
  double bytes;
  double bytesVariance;

  /**
   * Adds a sample.
   *
   * @param oneIn inverse of the probability with which the sample was selected
   */
  void add(Sample sample, int oneIn) {
    double sampled = sample.buffers();
    double weight = sampled * oneIn;
    double excluded = Math.max(0, 1 - 1 / weight);
    double weightBytes = (double) sample.liveBytes() * oneIn;
    samples++;
    buffers += weight;
    buffersVariance += excluded * weight * weight;
    bytes += weightBytes;
    bytesVariance += excluded * weightBytes * weightBytes;
  }

  void add(WeightSums other) {
    samples += other.samples;
    buffers += other.buffers;
    buffersVariance += other.buffersVariance;
    bytes += other.bytes;
    bytesVariance += other.bytesVariance;
  }

  AllocationEstimate estimate() {
    return new AllocationEstimate(samples, buffers, buffersVariance, bytes, bytesVariance);
  }
}
