/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolFigure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who must not wait for whom: seed row A5. */
@Tag("A5")
class LockIndependenceTest {
  private static final int SMALL = 64;
  private static final int OTHER_SMALL = 512;
  private static final int NORMAL = 100_000;
  private static final int MOST_SECONDS = 20;

  private final WatchedSource source = new WatchedSource(new HeapMemorySource());
  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
          .arenas(1)
          .janitor(false)
          .build();
  private final List<Worker> threads = new ArrayList<>();
  private final List<Block> held = new ArrayList<>();

  private Worker thread() {
    Worker thread = new Worker();
    threads.add(thread);
    return thread;
  }

  private void allocate(int bytes) {
    Block block = (Block) pool.allocate(bytes);
    synchronized (held) {
      held.add(block);
    }
  }

  @Test
  void twoSmallSizesAndNormalOnesDoNotWaitForEachOther() throws Exception {
    Worker leaving = thread();
    leaving.run(() -> allocate(SMALL));
    leaving.run(() -> allocate(OTHER_SMALL));
    leaving.end();
    pool.tick();
    assertThat(pool.snapshot().get(PoolFigure.ORPHANED_SUBPAGES)).isEqualTo(2);

    Orphans ofSmall = pool.arenas()[0].orphans[pool.sizeClasses().of(SMALL)];
    Worker other = thread();
    Future<?> waits;
    ofSmall.lock.lock();
    try {
      other.run(() -> allocate(OTHER_SMALL)); // adopts, and does not wait for the other class
      other.run(() -> allocate(NORMAL));
      assertThat(pool.arenas()[0].orphans[pool.sizeClasses().of(OTHER_SMALL)].size()).isZero();
      // The same size does wait, so that it is this lock that matters.
      waits = thread().submit(() -> allocate(SMALL));
      await().atMost(Duration.ofSeconds(MOST_SECONDS)).until(ofSmall.lock::hasQueuedThreads);
      assertThat(waits.isDone()).isFalse();
    } finally {
      ofSmall.lock.unlock();
    }
    waits.get(MOST_SECONDS, TimeUnit.SECONDS);
    assertThat(ofSmall.size()).isZero();
  }

  @Test
  void whoHasASubpageDoesNotWaitForAnArenaThatGetsAChunk() throws Exception {
    Worker small = thread();
    small.run(() -> allocate(SMALL));
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    source.refuse(
        call -> {
          asked.countDown();
          awaitLatch(answer);
          return false;
        });
    // A whole chunk: a new one, which is asked for under the lock of the arena.
    Future<?> normal = thread().submit(() -> allocate(4 << 20));
    awaitLatch(asked);
    for (int i = 0; i < 50; i++) {
      small.run(() -> allocate(SMALL));
    }
    assertThat(normal.isDone()).isFalse();
    answer.countDown();
    normal.get(MOST_SECONDS, TimeUnit.SECONDS);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @AfterEach
  void everythingGoesBack() throws InterruptedException {
    for (Worker thread : threads) {
      thread.end();
    }
    held.forEach(block -> block.group.release(block.index));
    PoolInvariants.check(pool);
    pool.close();
    pool.tick();
    assertThat(source.regions()).isZero();
  }
}
