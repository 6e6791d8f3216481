/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cistern.leak.ByteSampler;
import dev.cistern.stats.PoolStat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The byte sampler: equally likely for every byte, and unbiased. */
class ByteSamplerTest {
  private static final long MEAN = 64 << 10;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  @ParameterizedTest
  @ValueSource(ints = {100, 8_000, 60_000, 500_000})
  void theWeightsAddUpToTheAllocatedBytes(int bytes) {
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

  /** The intervals are added to the bytes of years. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 61, 1L << 62, Long.MAX_VALUE})
  void theLongestIntervalsDoNotOverflow(long mean) {
    Random random = new Random(42);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(mean));
    for (int i = 0; i < 1000; i++) {
      assertThat(sampler.next(random)).as("draw %d, seed 42", i).isBetween(1L, 1L << 61);
    }
  }

  @Test
  void aSampleWeighsAtLeastItsSize() {
    assertThat(ByteSampler.weight(10 << 20, MEAN)).isEqualTo(10 << 20);
    assertThat(ByteSampler.weight(1, MEAN)).isBetween(MEAN - 1, MEAN + 1);
    assertThat(ByteSampler.weight(0, MEAN)).isZero();
  }

  /** Allocates {@code bytes} at a rate, on the test's clock; returns samples and estimate. */
  private double[] allocate(
      ByteSampler sampler, AtomicLong clock, Random random, long total, long bytesPerSecond) {
    return allocate(sampler, clock, random, total, bytesPerSecond, start -> {});
  }

  /** As above, with an action at the start of each sample. */
  private double[] allocate(
      ByteSampler sampler,
      AtomicLong clock,
      Random random,
      long total,
      long bytesPerSecond,
      LongConsumer sample) {
    int size = 4096;
    double samples = 0;
    double estimate = 0;
    long left = sampler.next(random);
    for (long done = 0; done < total; done += size) {
      clock.addAndGet(size * 1_000_000_000L / bytesPerSecond);
      left -= size;
      if (left < 0) {
        estimate += sampler.weigh(size, sampler.intervalBytes());
        samples++;
        sample.accept(sampler.nanos());
        left = sampler.next(random);
      }
    }
    return new double[] {samples, estimate};
  }

  @Test
  void aThreadThatAllocatesMuchTakesAboutFiveHundredSamplesASecondAndStaysUnbiased() {
    AtomicLong clock = new AtomicLong();
    Random random = new Random(7);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN), clock::get);
    long perSecond = 1L << 30; // at the mean: 16,384 samples a second
    double[] seen = allocate(sampler, clock, random, 4 * perSecond, perSecond);
    assertThat(seen[0]).isBetween(1_000.0, 4 * 500.0 + 2 * 500.0);
    double truth = 4.0 * perSecond;
    assertThat(seen[1]).isCloseTo(truth, within(4 * truth / Math.sqrt(seen[0])));
  }

  /** For any depth of the stacks, and any sizes. */
  @ParameterizedTest
  @ValueSource(longs = {5, 22, 100, 450})
  void aThreadSpendsAFifthOfAPercentOfItsTimeOnSamplesAndStaysUnbiased(long microsOfASample) {
    AtomicLong clock = new AtomicLong();
    Random random = new Random(11);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN), clock::get);
    long perSecond = 1L << 30;
    LongConsumer sample =
        start -> {
          clock.addAndGet(microsOfASample * 1_000);
          sampler.spentSince(start);
        };
    allocate(sampler, clock, random, 2 * perSecond, perSecond, sample);
    long start = clock.get();
    long total = 64 * perSecond;
    double[] seen = allocate(sampler, clock, random, total, perSecond, sample);
    double share = seen[0] * microsOfASample * 1_000 / (double) (clock.get() - start);
    assertThat(share).isLessThan(0.0025);
    assertThat(seen[0]).isLessThan(64 * 550.0);
    // as many as the limit allows: cheap samples are not dropped
    assertThat(share > 0.0015 || seen[0] > 64 * 350).as("%s of the time", share).isTrue();
    assertThat(seen[1]).isCloseTo((double) total, within(4 * total / Math.sqrt(seen[0])));
  }

  /** As at the start of a process, when its code is not compiled. */
  @Test
  void aBurstOfExpensiveSamplesIsTakenInFullToo() {
    AtomicLong clock = new AtomicLong();
    Random random = new Random(13);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN), clock::get);
    LongConsumer dear =
        start -> {
          clock.addAndGet(200_000);
          sampler.spentSince(start);
        };
    double[] burst = allocate(sampler, clock, random, 200 * MEAN, 10L << 30, dear);
    assertThat(burst[0]).isBetween(150.0, 250.0);
    assertThat(sampler.intervalBytes()).isEqualTo(MEAN);
    allocate(sampler, clock, random, 200 * MEAN, 10L << 30, dear);
    assertThat(sampler.intervalBytes()).isGreaterThan(10 * MEAN);
  }

  /** A thread that lost its processor during a sample. */
  @Test
  void aPauseInASampleRaisesNoInterval() {
    AtomicLong clock = new AtomicLong();
    Random random = new Random(12);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN), clock::get);
    allocate(sampler, clock, random, 1 << 20, 1 << 20);
    long start = sampler.nanos();
    clock.addAndGet(400_000_000);
    sampler.spentSince(start);
    allocate(sampler, clock, random, 4 << 20, 1 << 20);
    assertThat(sampler.intervalBytes()).isEqualTo(MEAN);
  }

  @Test
  void theTimeOfTheFrontEndForASampleCounts() {
    BufferPool pool =
        under.open(settings -> settings.sampleIntervalBytes(1).threadCaches(true).sharedCaches(1));
    under.binder.onSample = () -> LockSupport.parkNanos(2_000_000);
    for (int i = 0; i < 400; i++) { // fewer than the limit by number
      under.release(List.of(under.allocate(pool, 1 << 16)));
    }
    assertThat(pool.snapshot().get(PoolStat.LARGEST_SAMPLE_INTERVAL_BYTES)).isGreaterThan(1 << 16);
  }

  @Test
  void aBurstIsSampledInFull() {
    AtomicLong clock = new AtomicLong();
    Random random = new Random(8);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN), clock::get);
    double[] burst = allocate(sampler, clock, random, 200 * MEAN, 10L << 30);
    assertThat(burst[0]).isBetween(150.0, 250.0);
  }

  @Test
  void aRaisedIntervalFallsWhenTheThreadAllocatesLittle() {
    AtomicLong clock = new AtomicLong();
    Random random = new Random(9);
    ByteSampler sampler = new ByteSampler(new ByteSampler.Sampling(MEAN), clock::get);
    allocate(sampler, clock, random, 1L << 30, 1L << 30);
    assertThat(sampler.relax()).isFalse();
    clock.addAndGet(5_000_000_000L);
    assertThat(sampler.relax()).isTrue();
    double[] after = allocate(sampler, clock, random, 100 * MEAN, 1 << 20);
    assertThat(after[0]).isBetween(60.0, 140.0);
  }

  @Test
  void aSampledSlotNoLongerKeepsItsObject() {
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
  void nothingIsSampledWithoutAMean() {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 1 << 20, 300));
    assertThat(under.binder.samples.sum()).isZero();
  }
}
