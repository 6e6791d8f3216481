/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Ten thousand virtual threads at once. Each allocates and releases 1 KiB 256 times, and yields its
 * carrier four times while it holds a buffer. The time is that of one pair, and includes a 256th of
 * the cost of a thread.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class VirtualThreadsBenchmark {
  private static final int THREADS = 10_000;
  private static final int PAIRS = 256;
  private static final int PAIRS_BETWEEN_YIELDS = 64;
  private static final int BYTES = 1 << 10;

  /** Thread.startVirtualThread(Runnable), which JDK 17 does not have. */
  private MethodHandle starter = MethodHandles.constant(Thread.class, null);

  /**
   * Finds the method that starts a virtual thread.
   *
   * @throws NoSuchMethodException on a JDK without virtual threads
   */
  @Setup
  public void setUp() throws NoSuchMethodException, IllegalAccessException {
    starter =
        MethodHandles.publicLookup()
            .findStatic(
                Thread.class,
                "startVirtualThread",
                MethodType.methodType(Thread.class, Runnable.class));
  }

  /** Runs all threads. */
  @Benchmark
  @OperationsPerInvocation(THREADS * PAIRS)
  public void threads(Allocator allocator) throws Throwable {
    Subject subject = allocator.subject;
    CountDownLatch alive = new CountDownLatch(THREADS);
    LongAdder done = new LongAdder();
    Runnable life =
        () -> {
          try {
            done.add(live(subject));
          } finally {
            alive.countDown();
          }
        };
    for (int i = 0; i < THREADS; i++) {
      Thread started = (Thread) starter.invokeExact(life);
      if (started == null) {
        throw new IllegalStateException("no virtual thread");
      }
    }
    alive.await();
    if (done.sum() != (long) THREADS * PAIRS) {
      throw new IllegalStateException("a thread failed; see its output");
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the benchmark measures the yield
  private static int live(Subject subject) {
    int pairs = 0;
    for (int i = 0; i < PAIRS; i++) {
      Object buffer = subject.direct(BYTES);
      if (i % PAIRS_BETWEEN_YIELDS == 0) {
        Thread.yield();
      }
      subject.release(buffer);
      pairs++;
    }
    return pairs;
  }
}
