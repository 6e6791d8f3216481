/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.MemoryKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unused memory: the amount that a pool keeps, and the way in which a host JVM frees it. */
class UnusedMemoryTest {
  private static final int MIB = 1 << 20;
  private static final Duration SOON = Duration.ofSeconds(20);

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private void useAndRelease(BufferPool pool, int bytes) {
    List<Block> blocks = under.allocate(pool, bytes, Math.max(1, 12 * MIB / bytes));
    under.release(blocks);
  }

  private static void freeAll(BufferPool pool) {
    for (long before = pool.reservedBytes(); freesOne(pool); before = pool.reservedBytes()) {
      assertThat(pool.reservedBytes()).isLessThan(before);
    }
  }

  /** Runs on a thread without a frame of this package, which is the engine's. */
  private static boolean freesOne(BufferPool pool) {
    return CompletableFuture.supplyAsync(pool::tryFreeOne).join();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 64 << 10, MIB, 8 * MIB})
  void allMemoryIsFreedStepByStep(int bytes) throws Exception {
    BufferPool pool = under.open();
    for (int i = 0; i < 4; i++) {
      under.thread().run(() -> useAndRelease(pool, bytes)); // these threads sleep afterwards
    }
    await()
        .atMost(SOON)
        .until(
            () -> {
              freeAll(pool);
              return pool.reservedBytes() == 0;
            });
    PoolUnderTest.check(pool);
    useAndRelease(pool, bytes);
  }

  @Test
  void memoryInUseStays() throws Exception {
    BufferPool pool = under.open();
    Worker thread = under.thread();
    thread.run(() -> useAndRelease(pool, 64 << 10));
    thread.run(() -> under.allocate(pool, 64 << 10));
    await()
        .atMost(SOON)
        .until(
            () -> {
              freeAll(pool);
              return pool.reservedBytes() == PoolUnderTest.CHUNK;
            });
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isEqualTo(64 << 10);
  }

  @Test
  void aThreadInsideThePoolKeepsItsCache() {
    List<BufferPool> pools = new ArrayList<>();
    SlotBinder inNeed =
        new SlotBinder() {
          @Override
          public Object bind(SlotGroup group, int index) {
            assertThat(pools.get(0).tryFreeOne()).isFalse(); // and does not disturb the allocation
            return under.binder.bind(group, index);
          }

          @Override
          public void sampled(Object bound, int requestedBytes, long weightBytes) {}
        };
    try (BufferPool pool =
        BufferPool.builder(MemoryKind.HEAP, under.source, inNeed)
            .maintenanceThread(false)
            .build()) {
      pools.add(pool);
      Object block = pool.allocate(1000);
      assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
      ((Block) block).release();
    }
  }

  @Test
  void aThreadThatNeedsMemoryDoesNotWaitForASharedCacheInUse() throws Exception {
    BufferPool pool = under.open(settings -> settings.threadCaches(false).sharedCaches(1));
    useAndRelease(pool, 64 << 10);
    CacheLock inUse = pool.shared.all().get(0).lock;
    inUse.lock();
    try {
      boolean frees = true;
      while (frees) {
        frees =
            CompletableFuture.supplyAsync(pool::tryFreeOne).get(SOON.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      inUse.unlock();
    }
    PoolUnderTest.check(pool);
  }

  @Test
  void theCachesOfAllThreadsShareAnEighthOfTheLimit() throws Exception {
    under.source.limit(64 * MIB);
    BufferPool pool = under.open();
    for (int i = 0; i < 8; i++) {
      under.thread().run(() -> useAndRelease(pool, 128 << 10));
    }
    pool.tick();
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isPositive().isLessThanOrEqualTo(8 * MIB);
  }

  @Test
  void extentsKeepAnEighthOfTheLimit() {
    under.source.limit(256 * MIB);
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 8 * MIB, 10));
    assertThat(pool.reservedBytes()).isPositive().isLessThanOrEqualTo(32 * MIB);
  }
}
