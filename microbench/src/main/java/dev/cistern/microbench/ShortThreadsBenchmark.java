/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Ten thousand threads, four at a time. Each allocates 16 direct buffers of 1 KiB, releases them
 * and ends. The time is that of one thread; {@link Variant#NOTHING} measures the cost of the thread
 * alone.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ShortThreadsBenchmark {
  private static final int THREADS = 10_000;
  private static final int AT_A_TIME = 4;
  private static final int BUFFERS = 16;
  private static final int BYTES = 1 << 10;

  /** Runs all threads. */
  @Benchmark
  @OperationsPerInvocation(THREADS)
  public void threads(Allocator allocator) throws InterruptedException {
    Subject subject = allocator.subject;
    for (int started = 0; started < THREADS; started += AT_A_TIME) {
      Crew.run(AT_A_TIME, number -> live(subject));
    }
  }

  private static void live(Subject subject) {
    Object[] buffers = new Object[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
      buffers[i] = subject.direct(BYTES);
    }
    for (Object buffer : buffers) {
      subject.release(buffer);
    }
  }
}
