/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Producer and consumer: JMH's thread allocates direct buffers, and another thread releases them. A
 * queue of 1,024 entries connects them. The time is that of the slower thread; {@link
 * Variant#NOTHING} measures the queue alone.
 *
 * <p>A waiting thread spins for far longer than a block of the queue should take, then sleeps. The
 * other thread is then probably not running and may need this core.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class HandOffBenchmark {
  private static final int PLACES = 1024;
  private static final int SPINS_BEFORE_SLEEP = 2000;
  private static final long SLEEP_NANOS = 20_000;

  /** The requested size. */
  @Param("1024")
  public int bytes;

  private final SpscRing ring = new SpscRing(PLACES);
  private @Nullable Thread consumer;
  private volatile boolean ended;

  /** Starts the consumer. */
  @Setup
  public void setUp(Allocator allocator) {
    ended = false;
    Subject subject = allocator.subject;
    Thread started = ThreadKind.ofProcess().thread(() -> consume(subject), "consumer");
    consumer = started;
    started.start();
  }

  private void consume(Subject subject) {
    int spins = 0;
    while (true) {
      boolean last = ended; // read before the poll, so that no buffer stays in the queue
      Object buffer = ring.poll();
      if (buffer != null) {
        subject.release(buffer);
        spins = 0;
      } else if (last) {
        return;
      } else {
        pause(++spins);
      }
    }
  }

  /** Allocates a buffer and hands it over. */
  @Benchmark
  public void handOff(Allocator allocator) {
    Object buffer = allocator.subject.direct(bytes);
    int spins = 0;
    while (!ring.offer(buffer)) {
      pause(++spins);
      if (spins > SPINS_BEFORE_SLEEP && (consumer == null || !consumer.isAlive())) {
        throw new IllegalStateException("the consumer thread has ended; see its output");
      }
    }
  }

  private static void pause(int spins) {
    if (spins > SPINS_BEFORE_SLEEP) {
      LockSupport.parkNanos(SLEEP_NANOS);
    } else {
      Thread.onSpinWait();
    }
  }

  /** Waits until the consumer has released all buffers. */
  @TearDown
  public void tearDown() throws InterruptedException {
    ring.publish();
    ended = true;
    if (consumer != null) {
      consumer.join();
    }
  }
}
