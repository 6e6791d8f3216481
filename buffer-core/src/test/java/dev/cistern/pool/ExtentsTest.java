/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests above the chunk size. */
class ExtentsTest {
  private static final int MIB = 1 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool =
      under.open(settings -> settings.extentCacheBytes(32L * MIB).decayMillis(0));

  @Test
  void aReleasedExtentServesTheNextRequestThatFits() {
    Block first = under.allocate(pool, 10 * MIB);
    under.release(first);
    Block second = under.allocate(pool, 10 * MIB - 5);
    assertThat(second.group.region(0)).isSameAs(first.group.region(0));
    assertThat(under.source.regions()).isOne();
  }

  @Test
  void theBestFitIsTaken() {
    Block large = under.allocate(pool, 11 * MIB);
    Block fitting = under.allocate(pool, 10 * MIB);
    under.release(fitting);
    under.release(large);
    assertThat(under.allocate(pool, 10 * MIB).group.region(0)).isSameAs(fitting.group.region(0));
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
