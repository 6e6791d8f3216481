/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeGroup;
import dev.cistern.testing.Latches;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Virtual threads share caches and never get their own. Reflection starts them, because the code is
 * compiled for Java 17.
 */
@Tag("virtual-threads")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
class VirtualThreadTest {
  private static final int THREADS = 10_000;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open(settings -> settings.arenas(2).sharedCaches(4));

  private BufferPool sampled = pool;
  private Runnable afterOnce = () -> {};

  private static List<Thread> start(int count, Runnable task) throws ReflectiveOperationException {
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add((Thread) start.invoke(null, task));
    }
    return threads;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void tenThousandOfThemMakeNoThreadCache() throws Exception {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Queue<Block> handedOn = new ConcurrentLinkedQueue<>();
    join(
        start(
            THREADS,
            () -> {
              try {
                Block own = under.allocate(pool, 1000);
                handedOn.add(under.allocate(pool, 40_000));
                LockSupport.parkNanos(1000); // unmounts, and may continue on another carrier
                under.release(own);
                Block other = handedOn.poll();
                if (other != null) {
                  under.release(other);
                }
              } catch (Throwable failure) {
                failures.add(failure);
              }
            }));
    assertThat(failures).isEmpty();
    handedOn.forEach(under::release);
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.threadCaches()).isZero();
    assertThat(snapshot.pinnedBytes()).isZero();
    assertThat(snapshot.allocations(SizeGroup.SMALL)).isEqualTo(THREADS);
    assertThat(snapshot.allocations(SizeGroup.NORMAL)).isEqualTo(THREADS);
  }

  /** More virtual threads wait for the one shared cache than there are carriers. */
  @Test
  void aSampleMayWaitForVirtualThreadsThatWaitForTheSameCache() throws Exception {
    int others = 50;
    CountDownLatch allocated = new CountDownLatch(others);
    AtomicBoolean first = new AtomicBoolean(true);
    SlotBinder binder =
        new SlotBinder() {
          @Override
          public Object bind(SlotGroup group, int index) {
            return new Block(group, index);
          }

          @Override
          public void sampled(Object bound, int requestedBytes, long weightBytes) {
            if (first.getAndSet(false)) {
              waitForOtherThreads();
            }
          }

          private void waitForOtherThreads() {
            try {
              start(others, VirtualThreadTest.this::allocateOnce);
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException(e);
            }
            Latches.await(allocated);
          }
        };
    sampled =
        BufferPool.builder(MemoryKind.HEAP, under.source, binder)
            .arenas(1)
            .sharedCaches(1)
            .sampleIntervalBytes(1)
            .maintenanceThread(false)
            .build();
    afterOnce = allocated::countDown;
    join(start(1, this::allocateOnce));
    Latches.await(allocated);
    assertThat(PoolUnderTest.check(sampled).get(PoolStat.FAILED_SAMPLES)).isZero();
    sampled.close();
    sampled.tick();
  }

  private void allocateOnce() {
    ((Block) sampled.allocate(100)).release();
    afterOnce.run();
  }

  @Test
  void aPlatformThreadBesideThemHasItsOwn() throws Exception {
    join(start(1, () -> under.release(under.allocate(pool, 1000))));
    under.release(under.allocate(pool, 1000));
    assertThat(pool.snapshot().threadCaches()).isOne();
    assertThatThrownBy(() -> pool.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
