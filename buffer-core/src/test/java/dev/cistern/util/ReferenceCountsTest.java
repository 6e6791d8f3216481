/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The optimistic count never loses one, and frees exactly once (seed row B6). */
@Tag("B6")
class ReferenceCountsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = TestLength.choose(2_000, 5_000, 200_000);

  private static final class Counted extends AbstractReferenceCounted {
    final AtomicInteger freed = new AtomicInteger();
    final AtomicBoolean firstCountTaken = new AtomicBoolean();

    @Override
    public ReferenceCounted touch(Object hint) {
      return this;
    }

    @Override
    protected void deallocate() {
      freed.incrementAndGet();
    }
  }

  /** Something that several threads do to the same object at the same time. */
  private interface Deed {
    void run(Counted counted, SplittableRandom random);
  }

  /** Runs {@code deed} in all threads, on a new object each round, and checks it after each. */
  private static void inAllThreads(Deed deed, Deed check) throws InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<Counted> current = new AtomicReference<>(new Counted());
    CyclicBarrier start = new CyclicBarrier(THREADS);
    CyclicBarrier end =
        new CyclicBarrier(
            THREADS,
            () -> {
              check.run(current.get(), new SplittableRandom(0));
              current.set(new Counted());
            });
    List<Thread> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int round = 0; round < ROUNDS; round++) {
                    start.await();
                    deed.run(current.get(), random);
                    end.await();
                  }
                } catch (Throwable thrown) {
                  failure.compareAndSet(null, thrown);
                  start.reset();
                  end.reset();
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).as("seed %s", seed).isNull();
  }

  private static boolean attempt(Runnable change) {
    try {
      change.run();
      return true;
    } catch (IllegalReferenceCountException refused) {
      return false;
    }
  }

  @Test
  void holdersThatShareAnObjectFreeItOnce() throws InterruptedException {
    AtomicInteger retained = new AtomicInteger();
    inAllThreads(
        (counted, random) -> {
          // Each thread may find the object gone already, but never half gone.
          for (int i = 0; i < 10; i++) {
            if (attempt(counted::retain)) {
              retained.incrementAndGet();
              assertThat(counted.refCnt()).isPositive();
              assertThat(counted.freed.get()).isZero();
              if (counted.release()) {
                assertThat(counted.freed.get()).isEqualTo(1);
              }
            }
            if (random.nextInt(20) == 0 && counted.firstCountTaken.compareAndSet(false, true)) {
              assertThat(attempt(counted::release)).isTrue();
            }
          }
        },
        (counted, random) -> {
          if (counted.freed.get() == 0) {
            assertThat(counted.refCnt()).isEqualTo(1);
            assertThat(counted.release()).isTrue();
          }
          assertThat(counted.freed.get()).isEqualTo(1);
          assertThat(counted.refCnt()).isZero();
        });
    assertThat(retained.get()).isPositive();
  }

  @Test
  void whateverIsDoneWrongAnObjectIsFreedOnce() throws InterruptedException {
    inAllThreads(
        (counted, random) -> {
          for (int i = 0; i < 20; i++) {
            boolean add = random.nextBoolean();
            boolean several = random.nextInt(4) == 0;
            attempt(
                add
                    ? several ? () -> counted.retain(2) : counted::retain
                    : several ? () -> counted.release(2) : counted::release);
          }
        },
        (counted, random) -> {
          while (attempt(counted::release)) {
            assertThat(counted.refCnt()).isNotNegative();
          }
          assertThat(counted.freed.get()).isEqualTo(1);
          assertThat(counted.refCnt()).isZero();
        });
  }

  @Test
  void releasesThatMeetFreeOnceAndRefuseTheRest() throws InterruptedException {
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger last = new AtomicInteger();
    inAllThreads(
        (counted, random) -> {
          try {
            if (counted.release()) {
              last.incrementAndGet();
            }
          } catch (IllegalReferenceCountException tooMany) {
            refused.incrementAndGet();
          }
        },
        (counted, random) -> {
          assertThat(counted.freed.get()).isEqualTo(1);
          assertThat(last.getAndSet(0)).isEqualTo(1);
          assertThat(refused.getAndSet(0)).isEqualTo(THREADS - 1);
          assertThat(counted.refCnt()).isZero();
        });
  }

  @Test
  void aCountAtItsMaximumIsLeftAsItWas() {
    Counted counted = new Counted();
    counted.retain(ReferenceCounts.MAXIMUM - 1);
    assertThat(counted.refCnt()).isEqualTo(ReferenceCounts.MAXIMUM);
    assertThatThrownBy(counted::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> counted.retain(Integer.MAX_VALUE))
        .isInstanceOf(IllegalReferenceCountException.class)
        .hasMessageContaining("increment");
    assertThat(counted.refCnt()).isEqualTo(ReferenceCounts.MAXIMUM);
    assertThat(counted.release(ReferenceCounts.MAXIMUM - 1)).isFalse();
    assertThat(counted.release()).isTrue();
  }

  @Test
  void failedRetainsDoNotReviveAReleasedObject() {
    Counted counted = new Counted();
    counted.release();
    for (int i = 0; i < 100_000; i++) {
      assertThat(attempt(counted::retain)).isFalse();
    }
    assertThat(counted.refCnt()).isZero();
    assertThat(attempt(counted::release)).isFalse();
    assertThat(counted.freed.get()).isEqualTo(1);
  }
}
