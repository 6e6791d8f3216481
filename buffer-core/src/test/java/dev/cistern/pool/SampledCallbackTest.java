/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolStat;
import dev.cistern.testing.Latches;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A front end that handles a sample does not block the pool: it may allocate, and it may wait for a
 * thread that allocates or retires caches, even if all threads share one cache.
 */
@Timeout(60)
class SampledCallbackTest {
  private static final int HUGE = 5 << 20;

  private final TestSource source = new TestSource();
  private final AtomicInteger samples = new AtomicInteger();
  private volatile Runnable onSample = () -> {};
  private BufferPool pool;

  private void open(boolean threadCaches) {
    pool =
        BufferPool.builder(
                MemoryKind.HEAP,
                source,
                new SlotBinder() {
                  @Override
                  public Object bind(SlotGroup group, int index) {
                    return new Block(group, index);
                  }

                  @Override
                  public void sampled(Object bound, int requestedBytes, long weightBytes) {
                    if (samples.incrementAndGet() == 1) {
                      onSample.run();
                    }
                  }
                })
            .arenas(1)
            .threadCaches(threadCaches)
            .sharedCaches(1)
            .sampleIntervalBytes(1)
            .maintenanceThread(false)
            .build();
  }

  private Block allocate(int bytes) {
    Block block = (Block) pool.allocate(bytes);
    block.stamp(bytes, System.identityHashCode(block));
    return block;
  }

  @ParameterizedTest
  @CsvSource({
    "true, 100",
    "true, 100000",
    "true, 5242880",
    "false, 100",
    "false, 100000",
    "false, 5242880"
  })
  void itMayAllocateItself(boolean threadCaches, int bytes) {
    open(threadCaches);
    onSample =
        () -> {
          allocate(bytes).release();
          allocate(64).release();
          allocate(HUGE).release();
        };
    allocate(bytes).release();
    assertThat(samples).hasValue(4);
    assertThat(pool.snapshot().get(PoolStat.SAMPLES)).isEqualTo(4);
    assertThat(pool.snapshot().get(PoolStat.FAILED_SAMPLES)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "true, 100",
    "true, 100000",
    "true, 5242880",
    "false, 100",
    "false, 100000",
    "false, 5242880"
  })
  void itMayWaitForAThreadThatAllocatesOrTicks(boolean threadCaches, int bytes)
      throws InterruptedException {
    open(threadCaches);
    CountDownLatch done = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              allocate(bytes).release();
              pool.tick();
              pool.snapshot();
              done.countDown();
            });
    onSample =
        () -> {
          other.start();
          Latches.await(done);
        };
    allocate(bytes).release();
    assertThat(samples)
        .as("samples of this thread and of the thread that the callback awaits")
        .hasValue(2);
    assertThat(pool.snapshot().get(PoolStat.FAILED_SAMPLES))
        .as("callbacks whose wait for the other thread's allocation, tick and snapshot failed")
        .isZero();
    other.join();
  }

  @AfterEach
  void allMemoryIsFreed() {
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).isZero();
    pool.close();
    pool.tick();
    pool.tick();
    PoolInvariants.check(pool);
    assertThat(source.regions()).isZero();
  }
}
