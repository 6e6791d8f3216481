/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests above the chunk size. */
class ExtentCacheTest {
  private static final int MIB = 1 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool =
      under.open(settings -> settings.extentCacheBytes(32L * MIB).decayMillis(0));

  @Test
  void aReleasedExtentServesTheNextRequestThatFits() {
    Block first = under.allocate(pool, 10 * MIB);
    under.release(first);
    Block second = under.allocate(pool, 10 * MIB - 5);
    assertThat(second.group.region()).isSameAs(first.group.region());
    assertThat(under.source.regions()).isOne();
  }

  @Test
  @Tag("A11")
  void anExtentKeepsItsObject() {
    for (int size = 5 * MIB; size <= 10 * MIB; size += MIB) {
      Block first = under.allocate(pool, size);
      under.release(first);
      assertThat(under.allocate(pool, size)).isSameAs(first);
      under.release(first);
    }
  }

  @Test
  void anObjectThatWasSampledIsNotHandedOutAgain() {
    pool.sampleIntervalBytes(1);
    List<Block> seen = new ArrayList<>();
    for (int i = 0; i < 100; i++) { // the interval is in use within 64 MiB
      Block block = under.allocate(pool, 5 * MIB);
      seen.add(block);
      under.release(block);
    }
    long samples = under.binder.samples.sum();
    assertThat(samples).isGreaterThan(50);
    assertThat(new HashSet<>(seen)).hasSizeBetween((int) samples, (int) samples + 1);
    assertThat(under.source.regions()).isOne();
  }

  @Test
  void anExtentOfAnotherThreadIsReused() throws InterruptedException {
    Block first = under.allocate(pool, 10 * MIB);
    under.inOtherThread(() -> under.release(first));
    assertThat(under.allocate(pool, 10 * MIB - 12_345)).isSameAs(first);
    assertThat(under.source.regions()).isOne();
  }

  @Test
  void anExtentStaysUntilItHasBeenIdleForTheDecay() {
    BufferPool slow = under.open(settings -> settings.decayMillis(3_600_000));
    under.release(under.allocate(slow, 12 * MIB, 2));
    for (int i = 0; i < 5; i++) {
      slow.tick();
    }
    assertThat(PoolUnderTest.check(slow).hugeCachedBytes()).isEqualTo(24L * MIB);
  }

  @Test
  void competingThreadsLoseNothing() throws Exception {
    int threads = 4;
    int rounds = 500;
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      running.add(under.thread().submit(() -> takeTwo(rounds)));
    }
    for (Future<?> thread : running) {
      thread.get(60, TimeUnit.SECONDS);
    }
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.allocations(SizeGroup.HUGE)).isEqualTo(2L * threads * rounds);
    assertThat(snapshot.hugePinnedBytes()).isZero();
    assertThat(snapshot.hugeReservedBytes()).isBetween(1L, 32L * MIB);
  }

  private void takeTwo(int rounds) {
    for (int i = 0; i < rounds; i++) {
      Block one = under.allocate(pool, 5 * MIB);
      Block other = under.allocate(pool, (5 + i % 3) * MIB);
      one.verify();
      under.release(one);
      other.verify();
      under.release(other);
    }
  }

  @Test
  void theBestFitIsTaken() {
    Block large = under.allocate(pool, 11 * MIB);
    Block fitting = under.allocate(pool, 10 * MIB);
    under.release(fitting);
    under.release(large);
    assertThat(under.allocate(pool, 10 * MIB).group.region()).isSameAs(fitting.group.region());
  }

  @Test
  void anExtentThatIsMuchTooLargeIsNotWasted() {
    under.release(under.allocate(pool, 16 * MIB));
    under.allocate(pool, 5 * MIB);
    assertThat(under.source.regions()).isEqualTo(2);
  }

  @Test
  void theCacheIsBoundedAndDecays() {
    under.release(under.allocate(pool, 12 * MIB, 4));
    assertThat(pool.snapshot().hugeCachedBytes()).isEqualTo(24L * MIB);
    pool.tick();
    assertThat(PoolUnderTest.check(pool).hugeReservedBytes()).isZero();
    assertThat(under.source.regions()).isZero();
  }

  @Test
  void aboveTheCachesLimitItIsExactAndUnpooled() {
    Block huge = under.allocate(pool, 33 * MIB + 7);
    assertThat(huge.slotBytes()).isEqualTo(33 * MIB + 7);
    under.release(huge);
    assertThat(under.source.regions()).isZero();
  }

  @Test
  void atMostASixteenthIsLost() {
    for (int request = 4 * MIB + 1; request < 32 * MIB; request += 1_234_567) {
      assertThat(pool.usableBytes(request) - request).isBetween(0, request / 16 + 1);
    }
  }

  @Test
  @Tag("F2")
  void countsAfterSuccessOnly() {
    under.source.limit(6L * MIB);
    under.allocate(pool, 5 * MIB);
    assertThatThrownBy(() -> pool.allocate(5 * MIB)).isInstanceOf(OutOfMemoryError.class);
    PoolSnapshot snapshot = pool.snapshot();
    assertThat(snapshot.allocations(SizeGroup.HUGE)).isOne();
    assertThat(snapshot.failedAllocations()).isOne();
    assertThat(snapshot.hugePinnedBytes()).isEqualTo(5 * MIB);
  }

  @Test
  void aNegativeRequestIsRefused() {
    assertThatThrownBy(() -> pool.allocate(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
