/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests of a thread's countdown, without a pool whose ticks would lower its interval. */
class ThreadSamplerTest {
  private static final long MEAN = 64 << 10;
  private static final int BYTES = 1024;

  private final AtomicLong clock = new AtomicLong();
  private final ThreadSampler sampler =
      new ThreadSampler(new ByteSampler.Sampling(MEAN), clock::get);

  /** Returns the number of samples and the sum of their weights. */
  private long[] allocate(long bytes, long nanosPerAllocation, long nanosPerSample) {
    long samples = 0;
    long weights = 0;
    for (long done = 0; done < bytes; done += BYTES) {
      clock.addAndGet(nanosPerAllocation);
      long weight = sampler.weigh(BYTES);
      if (weight > 0) {
        samples++;
        weights += weight;
        long start = clock.get();
        clock.addAndGet(nanosPerSample);
        sampler.spentSince(start);
      }
    }
    return new long[] {samples, weights};
  }

  @Test
  void aRaisedIntervalFallsWhenTheThreadAllocatesLittle() {
    long[] burst = allocate(2_000 * MEAN, 1_000, 500_000);
    assertThat(burst[0]).as("samples of a thread whose samples take too long").isLessThan(400);
    clock.addAndGet(60_000_000_000L);
    long[] unused = allocate(40 * MEAN, 10_000_000, 0);
    assertThat(allocate(400 * MEAN, 1_000, 0)[0]).isBetween(300L, 500L);
  }

  /** The limits are eight standard errors wide, because the random numbers have no seed. */
  @Test
  void theWeightsOfARaisedIntervalAddUpToTheBytes() {
    long bytes = 100_000 * MEAN;
    long[] all = allocate(bytes, 1_000, 50_000);
    assertThat(all[0]).isBetween(200L, 5_000L);
    assertThat(all[1]).isBetween(bytes / 2, bytes + bytes / 2);
  }
}
