/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.Latches;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that no request is refused because of memory in quarantine, or memory that another thread
 * is about to free.
 */
class MemoryQuarantineShortageTest {
  private final MemoryQuarantine quarantine = new MemoryQuarantine(1 << 20, 3_600_000);

  private static MappedMemory memory(Runnable onFree) {
    return new MappedMemory(0, 1) {
      @Override
      protected boolean tryFree() {
        onFree.run();
        return true;
      }
    };
  }

  /** A region that another thread has begun to free, and that it frees when the test permits. */
  private static final class Leaving {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final FutureTask<Boolean> freeing;

    /**
     * @param displace the action that makes the quarantine free its oldest region
     */
    Leaving(MemoryQuarantine quarantine, Runnable displace, Runnable atEnd) {
      quarantine.add(
          memory(
              () -> {
                begun.countDown();
                Latches.await(mayEnd, 60);
                atEnd.run();
              }));
      freeing = task(displace);
      new Thread(freeing).start();
      Latches.await(begun);
    }

    void end() throws Exception {
      mayEnd.countDown();
      freeing.get(30, TimeUnit.SECONDS);
    }
  }

  private static FutureTask<Boolean> task(Runnable work) {
    return new FutureTask<>(work, true);
  }

  /** Waits until a thread is in the final loop of {@link MemoryQuarantine#freeAll}. */
  private static void awaitWaiting(Thread thread) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!isWaiting(thread)) {
      assertThat(System.nanoTime()).as("%s waits", thread).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /**
   * Returns whether the thread waits. The wait does not park, because that could consume a permit
   * of the application.
   */
  private static boolean isWaiting(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("awaitFreed"));
  }

  @Test
  @Tag("A15")
  void aRequestIsRefusedAtOnceIfTheMemoryIsInUse() {
    DirectMemoryLimit limit = new DirectMemoryLimit(3);
    limit.reserve(2);
    assertThatThrownBy(() -> limit.reserve(2))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("used: 2, limit: 3");
    assertThat(limit.usedBytes()).isEqualTo(2);
  }

  @Test
  void aRefusedRequestIsRepeatedAfterAnotherThreadFreed() throws Exception {
    Leaving leaving = new Leaving(quarantine, quarantine::freeAll, () -> {});
    AtomicInteger requests = new AtomicInteger();
    assertThat(quarantine.quarantinedBytes()).isZero();
    int granted =
        quarantine.allocateWithRetry(
            size -> {
              if (requests.incrementAndGet() == 1) {
                leaving.mayEnd.countDown();
                throw new OutOfMemoryError("this one is meant to fail");
              }
              return requests.get();
            },
            1);
    assertThat(granted).isEqualTo(2);
    leaving.end();
  }

  @Test
  void aRefusedRequestIsNotRepeatedIfTheQuarantineIsEmpty() {
    AtomicInteger requests = new AtomicInteger();
    OutOfMemoryError refusal = new OutOfMemoryError("this one is meant to fail");
    assertThatThrownBy(
            () ->
                quarantine.allocateWithRetry(
                    size -> {
                      requests.incrementAndGet();
                      throw refusal;
                    },
                    1))
        .isSameAs(refusal);
    assertThat(requests).hasValue(1);
  }

  @Test
  void aRequestThatIsRefusedForeverFails() {
    AtomicInteger requests = new AtomicInteger();
    AtomicInteger freed = new AtomicInteger();
    assertThatThrownBy(
            () ->
                quarantine.allocateWithRetry(
                    size -> {
                      requests.incrementAndGet();
                      quarantine.add(memory(freed::incrementAndGet));
                      throw new OutOfMemoryError("this one is meant to fail");
                    },
                    1))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(requests).hasValue(MemoryQuarantine.MAX_REQUESTS);
    assertThat(freed)
        .hasValueBetween(MemoryQuarantine.MAX_REQUESTS - 1, MemoryQuarantine.MAX_REQUESTS);
  }

  @Test
  void aThreadDoesNotWaitForThreadsThatLeaveLater() throws Exception {
    long leastNanos = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      Leaving before = new Leaving(quarantine, quarantine::freeAll, () -> {});
      FutureTask<Long> waiting =
          new FutureTask<>(
              () -> {
                quarantine.freeAll();
                return System.nanoTime();
              });
      Thread waiter = new Thread(waiting);
      waiter.start();
      awaitWaiting(waiter);
      Leaving after = new Leaving(quarantine, quarantine::freeAll, () -> {});
      long start = System.nanoTime();
      before.mayEnd.countDown();
      leastNanos = Math.min(leastNanos, waiting.get(30, TimeUnit.SECONDS) - start);
      after.end();
      before.end();
    }
    // A thread that waited for the later region would wait for the limit of 100 ms.
    assertThat(leastNanos).isLessThan(TimeUnit.MILLISECONDS.toNanos(10));
  }
}
