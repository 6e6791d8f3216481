/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the optimistic count loses no change, and frees exactly once. */
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

  /** An action that several threads perform on the same object at the same time. */
  private interface Action {
    void run(Counted counted, SplittableRandom random);
  }

  /** Runs {@code action} in all threads, on a new object each round, and checks it after each. */
  private static void inAllThreads(Action action, Action check) throws InterruptedException {
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
                    action.run(current.get(), random);
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
          // A thread can find the object freed, but never in a state between.
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
  void anObjectIsFreedOnceDespiteMisuse() throws InterruptedException {
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
    int maximum = (1 << 30) - 1;
    Counted counted = new Counted();
    counted.retain(maximum - 1);
    assertThat(counted.refCnt()).isEqualTo(maximum);
    assertThatThrownBy(counted::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> counted.retain(Integer.MAX_VALUE))
        .isInstanceOf(IllegalReferenceCountException.class)
        .hasMessageContaining("increment");
    assertThat(counted.refCnt()).isEqualTo(maximum);
    assertThat(counted.release(maximum - 1)).isFalse();
    assertThat(counted.release()).isTrue();
  }

  /** Netty's class, with the same methods as {@link Counted}. */
  private static final class Theirs extends io.netty.util.AbstractReferenceCounted {
    @Override
    public io.netty.util.ReferenceCounted touch(Object hint) {
      return this;
    }

    @Override
    protected void deallocate() {}

    void set(int count) {
      setRefCnt(count);
    }
  }

  private static String result(Callable<Boolean> change) {
    try {
      return String.valueOf(change.call());
    } catch (Exception refused) {
      return refused.getClass().getSimpleName() + ": " + refused.getMessage().replace(" :", ":");
    }
  }

  /** Compares each call with Netty's, at the edges of counts and with the edges as its argument. */
  @Test
  void theLimitsAreNettys() {
    int half = 1 << 30;
    int[] edges = {
      -1,
      0,
      1,
      2,
      3,
      half / 2,
      half - 2,
      half - 1,
      half,
      half + 1,
      half + half / 2,
      Integer.MAX_VALUE - 1,
      Integer.MAX_VALUE,
      Integer.MIN_VALUE
    };
    for (int start : edges) {
      for (int change : edges) {
        // Netty doubles the increment. For these values it loses the high bit, and adds a negative
        // one.
        boolean isLostByNetty = start > half && change > half;
        String[] calls = {"release", isLostByNetty ? "release" : "retain", "one"};
        for (String call : calls) {
          Counted ours = new Counted();
          Theirs theirs = new Theirs();
          ours.setRefCnt(start);
          theirs.set(start);
          assertThat(apply(ours, call, change))
              .as("%s of %s at %s", call, change, start)
              .isEqualTo(apply(theirs, call, change));
        }
      }
    }
  }

  private static String apply(Counted ours, String call, int change) {
    StringBuilder text = new StringBuilder(ours.refCnt() + " ");
    text.append(
        switch (call) {
          case "retain" -> result(() -> ours.retain(change) == ours);
          case "release" -> result(() -> ours.release(change));
          default -> result(() -> ours.retain() == ours);
        });
    text.append(' ').append(ours.refCnt());
    text.append(' ').append(result(ours::release));
    text.append(' ').append(result(() -> ours.release(2)));
    return text.append(' ').append(ours.refCnt()).toString();
  }

  private static String apply(Theirs theirs, String call, int change) {
    StringBuilder text = new StringBuilder(theirs.refCnt() + " ");
    text.append(
        switch (call) {
          case "retain" -> result(() -> theirs.retain(change) == theirs);
          case "release" -> result(() -> theirs.release(change));
          default -> result(() -> theirs.retain() == theirs);
        });
    text.append(' ').append(theirs.refCnt());
    text.append(' ').append(result(theirs::release));
    text.append(' ').append(result(() -> theirs.release(2)));
    return text.append(' ').append(theirs.refCnt()).toString();
  }

  /**
   * Tests retains that overflow, together with releases: each is counted, and none frees the
   * object.
   */
  @Test
  void retainsThatOverflowLoseNoCount() throws InterruptedException {
    for (int maximum : new int[] {(1 << 30) - 1, Integer.MAX_VALUE}) {
      AtomicInteger added = new AtomicInteger();
      inAllThreads(
          (counted, random) -> {
            // The first thread sets the count; the rest wait for it.
            if (counted.firstCountTaken.compareAndSet(false, true)) {
              counted.setRefCnt(maximum);
            }
            while (counted.refCnt() < maximum / 2) {
              Thread.onSpinWait();
            }
            for (int i = 0; i < 10; i++) {
              if (random.nextInt(3) == 0) {
                assertThat(counted.release()).isFalse();
                added.decrementAndGet();
              } else if (attempt(counted::retain)) {
                added.incrementAndGet();
              }
              assertThat(counted.refCnt()).isGreaterThan(maximum - 100);
            }
          },
          (counted, random) ->
              assertThat(counted.refCnt()).isEqualTo(maximum + added.getAndSet(0)));
    }
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
