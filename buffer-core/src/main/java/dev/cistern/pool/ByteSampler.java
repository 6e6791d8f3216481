/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws allocations by bytes: a Poisson process with one sample in {@code mean} bytes, so that
 * every byte is as likely to be drawn as any other, whatever the sizes. One for each thread cache.
 *
 * <p>A thread that would take more than 500 samples a second raises its own interval; each sample
 * is weighed with the interval in force.
 */
final class ByteSampler {
  /** Bytes after which a thread looks again whether sampling is on. */
  private static final long OFF_RECHECK_BYTES = 64L << 20;

  private static final long LEAST_NANOS_PER_SAMPLE = 2_000_000;

  /** The settings that all threads of a pool share. */
  static final class Sampling {
    /** Bytes, 0 for off. Written by any thread, read by samplers. */
    volatile long meanBytes;

    Sampling(long meanBytes) {
      this.meanBytes = meanBytes;
    }
  }

  private final Sampling sampling;
  private long intervalBytes;
  private long lastNanos = System.nanoTime();

  ByteSampler(Sampling sampling) {
    this.sampling = sampling;
  }

  /** Bytes until the next sample. */
  long next(RandomGenerator random) {
    long mean = sampling.meanBytes;
    if (mean == 0) {
      intervalBytes = 0;
      return OFF_RECHECK_BYTES;
    }
    intervalBytes = Math.max(mean, intervalBytes);
    double uniform = 1.0 - random.nextDouble();
    return (long) (-Math.log(uniform) * intervalBytes) + 1;
  }

  /** The bytes that a sample of this size stands for under the interval in force; 0 where off. */
  long weigh(int bytes) {
    long interval = intervalBytes;
    if (interval == 0 || sampling.meanBytes == 0) {
      intervalBytes = 0;
      return 0;
    }
    adapt(interval);
    return weight(bytes, interval);
  }

  /** Horvitz and Thompson: a sample counts for its size over the chance of drawing it. */
  static long weight(int bytes, long interval) {
    return bytes == 0 ? 0 : Math.round(bytes / -Math.expm1(-(double) bytes / interval));
  }

  private void adapt(long interval) {
    long now = System.nanoTime();
    long elapsed = now - lastNanos;
    lastNanos = now;
    long mean = sampling.meanBytes;
    if (elapsed < LEAST_NANOS_PER_SAMPLE) {
      intervalBytes = Math.min(interval * 2, mean << 20);
    } else if (elapsed > 4 * LEAST_NANOS_PER_SAMPLE) {
      intervalBytes = Math.max(mean, interval / 2);
    }
  }

  @Override
  public @Nullable String toString() {
    return "one sample in " + intervalBytes + " B";
  }
}
