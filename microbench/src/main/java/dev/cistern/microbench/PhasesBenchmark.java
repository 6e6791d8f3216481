/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A workload after mimalloc's mstress. In each phase, four new threads replace buffers in private
 * windows and, one in eight, in a table that outlives the phase. Then the threads end, and threads
 * of later phases release the buffers in the table. Sizes are {@link SizeMix#PROXY}. The time
 * includes the cost of the threads, a few nanoseconds for each operation.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class PhasesBenchmark {
  private static final int THREADS = 4;
  private static final int REPLACEMENTS = 10_000;
  private static final int WINDOW = 64;
  private static final int TABLE = 1024;
  private static final int EIGHTH = 7;
  private static final int SEQUENCE = 1 << 14;
  private static final long SEED = 20_261_123;

  private final AtomicReferenceArray<@Nullable Object> table = new AtomicReferenceArray<>(TABLE);
  private final int[][] sizes = new int[THREADS][];

  /** Computes separate sizes for each thread. */
  @Setup
  public void setUp() {
    for (int i = 0; i < THREADS; i++) {
      sizes[i] = SizeMix.PROXY.sizes(SEQUENCE, SEED + i);
    }
  }

  /** Runs one phase. */
  @Benchmark
  @OperationsPerInvocation(THREADS * REPLACEMENTS)
  public void phase(Allocator allocator) throws InterruptedException {
    Subject subject = allocator.subject;
    Crew.run(THREADS, number -> replace(subject, sizes[number], number));
  }

  private void replace(Subject subject, int[] mine, int number) {
    Object[] window = new Object[WINDOW];
    for (int i = 0; i < REPLACEMENTS; i++) {
      Object buffer = subject.direct(mine[i & (SEQUENCE - 1)]);
      Object old;
      if ((i & EIGHTH) == EIGHTH) {
        old = table.getAndSet((i * 31 + number * TABLE / THREADS) & (TABLE - 1), buffer);
      } else {
        int slot = i % WINDOW;
        old = window[slot];
        window[slot] = buffer;
      }
      release(subject, old);
    }
    for (Object buffer : window) {
      release(subject, buffer);
    }
  }

  private static void release(Subject subject, @Nullable Object buffer) {
    if (buffer != null) {
      subject.release(buffer);
    }
  }

  /** Releases all buffers of the table. */
  @TearDown
  public void tearDown(Allocator allocator) {
    for (int i = 0; i < TABLE; i++) {
      release(allocator.subject, table.getAndSet(i, null));
    }
  }
}
