/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No request is refused for memory that rests, or that another thread is just freeing. */
class MemoryShortageTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final RestingMemory resting =
      new RestingMemory(1 << 20, HOUR_NANOS, 1000, System::nanoTime);

  /** One region that another thread has begun to free, and frees when it may. */
  private static final class Leaving {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final FutureTask<Boolean> freeing;

    /**
     * @param displace what makes the memory free its oldest region
     */
    Leaving(RestingMemory resting, Runnable displace, Runnable atEnd) throws InterruptedException {
      resting.rest(
          0,
          1,
          null,
          (address, bytes, handle) -> {
            begun.countDown();
            awaitIn(mayEnd);
            atEnd.run();
          });
      freeing = task(displace);
      new Thread(freeing).start();
      assertThat(begun.await(30, TimeUnit.SECONDS)).as("begun to free").isTrue();
    }

    void end() throws Exception {
      mayEnd.countDown();
      freeing.get(30, TimeUnit.SECONDS);
    }
  }

  private static FutureTask<Boolean> task(Runnable work) {
    return new FutureTask<>(work, true);
  }

  private static void awaitIn(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).as("may be freed").isTrue();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** What {@link RestingMemory#freeAll} does only when nothing rests any more. */
  private static void awaitWaiting(Thread thread) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!isWaiting(thread)) {
      assertThat(System.nanoTime()).as("%s waits", thread).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /** It does not park, which could take a permit of the application's. */
  private static boolean isWaiting(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("awaitFreed"));
  }

  @Test
  @Tag("A15")
  void threadsThatTogetherNeedHalfTheLimitAreNotRefused() throws InterruptedException {
    int bytes = 4096;
    DirectMemoryLimit limit = new DirectMemoryLimit(16L * bytes, resting);
    DirectMemorySource source = new DirectMemorySource(limit, 0, false);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 10_000; i++) {
                    source.free(source.allocate(bytes));
                  }
                } catch (RuntimeException | Error failed) {
                  failures.add(failed);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    resting.freeAll();
    assertThat(limit.usedBytes()).isZero();
  }

  @Test
  @Tag("A15")
  void whatCameToRestDuringTheWaitIsFreedToo() throws Exception {
    RestingMemory one = new RestingMemory(1, HOUR_NANOS, 1, System::nanoTime);
    DirectMemoryLimit limit = new DirectMemoryLimit(2, one);
    limit.reserve(1);
    Runnable displace = () -> one.rest(0, 1, null, (address, bytes, handle) -> {});
    Leaving leaving = new Leaving(one, displace, () -> limit.release(1));
    FutureTask<Boolean> asking = task(() -> limit.reserve(2));
    Thread asker = new Thread(asking);
    asker.start();
    awaitWaiting(asker);
    limit.reserve(1);
    one.rest(0, 1, null, (address, bytes, handle) -> limit.release(1));
    leaving.end();
    asking.get(30, TimeUnit.SECONDS);
    assertThat(limit.usedBytes()).isEqualTo(2);
    assertThat(one.restingBytes()).isZero();
  }

  @Test
  @Tag("A15")
  void whatIsInUseIsRefusedAtOnce() {
    DirectMemoryLimit limit = new DirectMemoryLimit(3, resting);
    limit.reserve(2);
    assertThatThrownBy(() -> limit.reserve(2))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("used: 2, limit: 3");
    assertThat(limit.usedBytes()).isEqualTo(2);
  }

  @Test
  void oneThatIsRefusedAsksAgainAfterAnotherThreadFreed() throws Exception {
    Leaving leaving = new Leaving(resting, resting::freeAll, () -> {});
    AtomicInteger requests = new AtomicInteger();
    assertThat(resting.restingBytes()).isZero();
    int granted =
        resting.request(
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
  void oneThatIsRefusedAsksOnceWhereNothingRests() {
    AtomicInteger requests = new AtomicInteger();
    OutOfMemoryError refusal = new OutOfMemoryError("this one is meant to fail");
    assertThatThrownBy(
            () ->
                resting.request(
                    size -> {
                      requests.incrementAndGet();
                      throw refusal;
                    },
                    1))
        .isSameAs(refusal);
    assertThat(requests).hasValue(1);
  }

  @Test
  void oneThatIsRefusedForeverGivesUp() {
    AtomicInteger requests = new AtomicInteger();
    AtomicInteger freed = new AtomicInteger();
    assertThatThrownBy(
            () ->
                resting.request(
                    size -> {
                      requests.incrementAndGet();
                      resting.rest(0, 1, null, (address, bytes, handle) -> freed.incrementAndGet());
                      throw new OutOfMemoryError("this one is meant to fail");
                    },
                    1))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(requests).hasValue(RestingMemory.MOST_REQUESTS);
    assertThat(freed).hasValueBetween(RestingMemory.MOST_REQUESTS - 1, RestingMemory.MOST_REQUESTS);
  }

  @Test
  void noneThatBeginsToLeaveLaterIsWaitedFor() throws Exception {
    long leastNanos = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      Leaving before = new Leaving(resting, resting::freeAll, () -> {});
      FutureTask<Long> waiting =
          new FutureTask<>(
              () -> {
                resting.freeAll();
                return System.nanoTime();
              });
      Thread waiter = new Thread(waiting);
      waiter.start();
      awaitWaiting(waiter);
      Leaving after = new Leaving(resting, resting::freeAll, () -> {});
      long start = System.nanoTime();
      before.mayEnd.countDown();
      leastNanos = Math.min(leastNanos, waiting.get(30, TimeUnit.SECONDS) - start);
      after.end();
      before.end();
    }
    // all the waits together take twice that at least
    assertThat(leastNanos).isLessThan(TimeUnit.MILLISECONDS.toNanos(10));
  }
}
