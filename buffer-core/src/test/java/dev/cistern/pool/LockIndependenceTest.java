/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolStat;
import dev.cistern.testing.Latches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The threads that must not wait for each other. */
@Tag("A5")
class LockIndependenceTest {
  private static final int SMALL = 64;
  private static final int OTHER_SMALL = 512;
  private static final int NORMAL = 100_000;
  private static final int CHUNK_BYTES = 4 << 20;
  private static final int MAX_SECONDS = 20;

  private final WatchedSource source = new WatchedSource(new HeapMemorySource());
  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
          .arenas(1)
          .maintenanceThread(false)
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
    assertThat(pool.snapshot().get(PoolStat.ORPHANED_SUBPAGES)).isEqualTo(2);

    Orphans ofSmall = pool.arenas[0].orphans[pool.sizeClasses.of(SMALL)];
    Worker other = thread();
    Future<?> waits;
    ofSmall.lock.lock();
    try {
      other.run(() -> allocate(OTHER_SMALL)); // adopts, and does not wait for the other class
      other.run(() -> allocate(NORMAL));
      assertThat(pool.arenas[0].orphans[pool.sizeClasses.of(OTHER_SMALL)].size()).isZero();
      // The same size does wait, which shows that this lock matters.
      waits = thread().submit(() -> allocate(SMALL));
      await().atMost(Duration.ofSeconds(MAX_SECONDS)).until(ofSmall.lock::hasQueuedThreads);
      assertThat(waits.isDone()).isFalse();
    } finally {
      ofSmall.lock.unlock();
    }
    waits.get(MAX_SECONDS, TimeUnit.SECONDS);
    assertThat(ofSmall.size()).isZero();
  }

  /**
   * Tests that an arena serves seven other threads from other chunks while a thread requests a
   * chunk, which takes a system call. The counter shows that none of them waited.
   */
  @Test
  void anArenaServesOtherThreadsWhileOneRequestsAChunk() throws Exception {
    thread().run(() -> allocate(SMALL));
    CountDownLatch requested = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    source.refuse(
        call -> {
          requested.countDown();
          Latches.await(answer);
          return false;
        });
    Future<?> whole = thread().submit(() -> allocate(CHUNK_BYTES));
    Latches.await(requested);
    for (int i = 0; i < 7; i++) {
      Worker other = thread();
      for (int bytes : new int[] {SMALL, OTHER_SMALL, 4096, NORMAL, 20_000, NORMAL}) {
        other.run(() -> allocate(bytes));
      }
      other.run(() -> held.remove(held.size() - 1).release());
    }
    assertThat(whole.isDone()).isFalse();
    assertThat(pool.snapshot().sum(ArenaStat.LOCK_WAITS)).isZero();
    answer.countDown();
    whole.get(MAX_SECONDS, TimeUnit.SECONDS);
  }

  /** Otherwise the second thread would be refused, although the first gets enough for both. */
  @Test
  void aThreadThatNeedsAChunkUsesTheOneThatAnotherThreadRequests() throws Exception {
    CountDownLatch requested = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger requests = new AtomicInteger();
    source.refuse(
        call -> {
          if (requests.incrementAndGet() > 1) {
            return true;
          }
          requested.countDown();
          Latches.await(answer);
          return false;
        });
    Future<?> first = thread().submit(() -> allocate(CHUNK_BYTES / 2));
    Latches.await(requested);
    Worker waiting = thread();
    Thread itself = waiting.call(Thread::currentThread);
    Future<?> second = waiting.submit(() -> allocate(CHUNK_BYTES / 4));
    await()
        .atMost(Duration.ofSeconds(MAX_SECONDS))
        .until(() -> itself.getState() == Thread.State.WAITING && !second.isDone());
    answer.countDown();
    first.get(MAX_SECONDS, TimeUnit.SECONDS);
    second.get(MAX_SECONDS, TimeUnit.SECONDS);
    assertThat(requests).hasValue(1);
  }

  @AfterEach
  void allMemoryIsFreed() throws InterruptedException {
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
