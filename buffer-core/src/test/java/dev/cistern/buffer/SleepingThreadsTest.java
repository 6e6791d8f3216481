/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the pool reclaims the caches of sleeping threads with few pauses of the JVM. */
@Tag("full") // it waits for the idle time, ten seconds, and some checks
class SleepingThreadsTest {
  private static final int THREADS = 400;
  private static final long MAX_SECONDS = 40;

  /** Limit of the safepoints for stack traces per second. */
  private static final long MAX_RATE = 2;

  /** Program of a separate JVM that prints the seconds until no thread has a cache. */
  static final class Crowd {
    private Crowd() {}

    public static void main(String... arguments) throws InterruptedException {
      PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
      CountDownLatch done = new CountDownLatch(THREADS);
      CountDownLatch end = new CountDownLatch(1);
      for (int i = 0; i < THREADS; i++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int size = 256; size <= 4096; size += 256) {
                    allocator.directBuffer(size).release();
                  }
                  done.countDown();
                  awaitEnd(end);
                });
        thread.setDaemon(true);
        thread.start();
      }
      done.await();
      long start = System.nanoTime();
      long deadline = start + TimeUnit.SECONDS.toNanos(MAX_SECONDS + 10);
      while (allocator.metric().numThreadLocalCaches() > 0 && System.nanoTime() < deadline) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      System.out.println("caches " + allocator.metric().numThreadLocalCaches());
      System.out.println("seconds " + seconds);
      end.countDown();
    }

    private static void awaitEnd(CountDownLatch end) {
      try {
        end.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void fourHundredSleepingThreadsLoseTheirCachesAtTwoSafepointsASecond() throws Exception {
    String output =
        OwnJvm.of(Crowd.class).with("-Xlog:safepoint", "-XX:MaxDirectMemorySize=2g").run();
    assertThat(output).contains("caches 0");
    long seconds = number(output, "seconds ");
    long safepoints =
        output.lines().filter(line -> line.contains("Safepoint \"ThreadDump\"")).count();
    assertThat(seconds).as(output).isLessThanOrEqualTo(MAX_SECONDS);
    assertThat(safepoints).as(output).isPositive().isLessThanOrEqualTo(MAX_RATE * seconds);
  }

  private static long number(String output, String name) {
    return output
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }
}
