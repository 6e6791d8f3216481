/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.testing.GarbageCollection;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory that could be kept forever; each case was once found by review. */
class RetentionTest {
  private static final int MIB = 1 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  @Test
  @Tag("A11")
  void aRunThatIsTakenAgainHasItsObjectIfItsPagesAreTheSame() {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(0));
    Block block = under.allocate(pool, MIB);
    under.release(block);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isZero();
    assertThat(under.allocate(pool, MIB)).isSameAs(block);
    under.release(block);
    Block smaller = under.allocate(pool, MIB / 2);
    assertThat(smaller).isNotSameAs(block);
    assertThat(under.allocate(pool, MIB)).as("behind the other").isNotSameAs(block);
  }

  @Test
  void freeSubpagesThatANoticeBringsCountAgainstTheIdleBudget() throws InterruptedException {
    BufferPool pool = under.open();
    List<Block> blocks = under.allocate(pool, 1024, 64 << 10);
    assertThat(pool.snapshot().reservedBytes()).isGreaterThanOrEqualTo(64L * MIB);
    under.inOtherThread(() -> under.release(blocks));
    under.allocate(pool, 1024, 257); // more than any subpage has: accepts the notices
    pool.tick(); // frees those whose notice was not accepted
    PoolSnapshot idle = PoolUnderTest.check(pool);
    assertThat(idle.cachedBytes()).isLessThanOrEqualTo(MIB);
    assertThat(idle.reservedBytes()).isLessThanOrEqualTo(3L * PoolUnderTest.CHUNK);
  }

  @Test
  void aRunAboveTheBudgetIsFreedWhicheverThreadReleasesIt() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(2 * MIB));
    List<Block> blocks = under.allocate(pool, 4 * MIB, 4);
    under.inOtherThread(() -> under.release(blocks));
    assertThat(pool.snapshot().reservedBytes()).isEqualTo(PoolUnderTest.CHUNK);
  }

  @Test
  void aSubpageNeverHasMoreSlotsThanAreCounted() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.pageBytes(MIB).chunkBytes(32 * MIB));
    List<Block> blocks = under.allocate(pool, 16, RemoteFreeList.MAX_SLOTS + 10);
    under.inOtherThread(() -> under.release(blocks));
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isZero();
  }

  @Test
  void aSamplerThatFailsCostsNoSlot() {
    BufferPool pool =
        BufferPool.builder(
                MemoryKind.HEAP,
                under.source,
                new SlotBinder() {
                  @Override
                  public Object bind(SlotGroup group, int index) {
                    return new Block(group, index);
                  }

                  @Override
                  public void sampled(Object bound, int requestedBytes, long weightBytes) {
                    throw new IllegalStateException("cannot watch");
                  }
                })
            .maintenanceThread(false)
            .sampleIntervalBytes(1)
            .build();
    ((Block) pool.allocate(1000)).release();
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.pinnedBytes()).isZero();
    assertThat(snapshot.get(PoolStat.FAILED_SAMPLES)).isOne();
    pool.close();
    pool.tick();
  }

  @Test
  @Tag("F2")
  void aRefusedAllocationIsNoMiss() {
    BufferPool pool = under.open();
    under.allocate(pool, 100);
    long misses = pool.snapshot().threadCacheMisses();
    under.source.limit(0);
    for (int i = 0; i < 20; i++) {
      try {
        under.allocate(pool, 4 * MIB);
      } catch (OutOfMemoryError expected) {
        assertThat(expected).hasMessageContaining("limit: 0");
      }
    }
    assertThat(pool.snapshot().threadCacheMisses()).isEqualTo(misses);
  }

  @Test
  @Tag("A15")
  void anUnreachablePoolFreesItsMemory() {
    DirectMemoryLimit limit = new DirectMemoryLimit(64L * MIB);
    leavePoolBehind(limit);
    assertThat(limit.usedBytes()).isPositive();
    GarbageCollection.until(() -> limit.usedBytes() == 0);
  }

  private static void leavePoolBehind(DirectMemoryLimit limit) {
    BufferPool pool =
        BufferPool.builder(
                MemoryKind.DIRECT, new DirectMemorySource(limit, 0, false), new BlockBinder())
            .build();
    ((Block) pool.allocate(1000)).release();
  }
}
