/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The byte sampler: as likely for every byte, and unbiased. */
class ByteSamplerTest {
  private static final long MEAN = 64 << 10;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  @ParameterizedTest
  @ValueSource(ints = {100, 8_000, 60_000, 500_000})
  void theWeightsAddUpToWhatWasAllocated(int bytes) {
    Random random = new Random(42);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN));
    long allocations = 400_000_000L / bytes;
    double estimate = 0;
    int samples = 0;
    long left = sampler.next(random);
    for (long i = 0; i < allocations; i++) {
      left -= bytes;
      if (left < 0) {
        estimate += ByteSampler.weight(bytes, MEAN);
        samples++;
        left = sampler.next(random);
      }
    }
    double truth = (double) allocations * bytes;
    // The number of samples is Poisson-like: three standard errors.
    assertThat(estimate).isCloseTo(truth, within(3 * truth / Math.sqrt(samples)));
  }

  @Test
  void aSampleWeighsAtLeastItsSize() {
    assertThat(ByteSampler.weight(10 << 20, MEAN)).isEqualTo(10 << 20);
    assertThat(ByteSampler.weight(1, MEAN)).isBetween(MEAN - 1, MEAN + 1);
    assertThat(ByteSampler.weight(0, MEAN)).isZero();
  }

  @Test
  void aSampledSlotHasLetGoOfItsObject() {
    BufferPool pool = under.open(settings -> settings.sampleIntervalBytes(1));
    Block drawn = under.allocate(pool, 4096);
    assertThat(under.binder.samples.sum()).isOne();
    assertThat(drawn.group.bound[drawn.index]).isNull();
    Block run = under.allocate(pool, 100_000);
    assertThat(run.group.bound[run.index]).isNull();
    under.release(List.of(drawn, run));
    assertThat(under.allocate(pool, 4096)).isNotSameAs(drawn);
    assertThat(under.allocate(pool, 100_000)).isNotSameAs(run);
  }

  @Test
  void withoutAMeanNothingIsDrawn() {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 1 << 20, 300));
    assertThat(under.binder.samples.sum()).isZero();
  }
}
