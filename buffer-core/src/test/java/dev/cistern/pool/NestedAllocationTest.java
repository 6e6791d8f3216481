/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A front end that allocates while it binds an object, which is not allowed with shared caches. It
 * gets an error, and no two threads wait for each other.
 */
class NestedAllocationTest {
  private static final int THREADS = 2;
  private static final int BYTES = 64;

  private final TestSource source = new TestSource();
  private final CyclicBarrier bothBind = new CyclicBarrier(THREADS);
  private final AtomicInteger binds = new AtomicInteger();
  private BufferPool pool;

  private final class Nesting implements SlotBinder {
    @Override
    public Object bind(SlotGroup group, int index) {
      if (binds.incrementAndGet() <= THREADS) {
        try {
          bothBind.await(20, TimeUnit.SECONDS); // now each thread has its own cache
        } catch (Exception e) {
          throw new AssertionError(e);
        }
        ((Block) pool.allocate(100)).release();
      }
      return new Block(group, index);
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      throw new AssertionError("sampling is off");
    }
  }

  @Test
  @Timeout(60)
  void isRefusedIfTwoThreadsWouldWaitForEachOther() throws InterruptedException {
    pool =
        BufferPool.builder(MemoryKind.HEAP, source, new Nesting())
            .arenas(1)
            .threadCaches(false)
            .sharedCaches(THREADS)
            .sampleIntervalBytes(0)
            .maintenanceThread(false)
            .build();
    Queue<Throwable> refused = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> ((Block) pool.allocate(100)).release());
      thread.setUncaughtExceptionHandler((ended, failure) -> refused.add(failure));
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(20));
      assertThat(thread.isAlive()).as("%s waits", thread).isFalse();
    }
    assertThat(refused)
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("cannot allocate during another allocation")
                    .hasMessageContainingAll("all " + THREADS + " shared", "sharedCaches"));
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).isZero();
    pool.close();
    pool.tick();
    assertThat(source.regions()).isZero();
  }

  /** Allocates once in the class that it binds for, and fails then. */
  private final class NestingThenFailing implements SlotBinder {
    private final List<Block> nested = new ArrayList<>();
    private boolean isNext;

    @Override
    public Object bind(SlotGroup group, int index) {
      if (isNext) {
        isNext = false;
        nested.add((Block) pool.allocate(BYTES));
        throw new IllegalStateException("fails after it allocated");
      }
      return new Block(group, index);
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      throw new AssertionError("sampling is off");
    }
  }

  @Test
  void aFailureAfterTheGroupWasReplacedKeepsTheGroup() {
    NestingThenFailing binder = new NestingThenFailing();
    pool =
        BufferPool.builder(MemoryKind.HEAP, source, binder)
            .arenas(1)
            .sampleIntervalBytes(0)
            .maintenanceThread(false)
            .build();
    Block first = (Block) pool.allocate(BYTES);
    SlotGroup group = first.group;
    List<Block> held = binder.nested;
    for (int i = 2; i < group.slots; i++) {
      held.add((Block) pool.allocate(BYTES));
    }
    binder.isNext = true; // for the last slot of the group
    assertThatThrownBy(() -> pool.allocate(BYTES)).hasMessage("fails after it allocated");
    first.release();
    assertThat(group.isFreed()).isFalse();
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).isEqualTo((long) held.size() * BYTES);
    held.forEach(Block::release);
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).isZero();
    pool.close();
  }
}
