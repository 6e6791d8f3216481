/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A server workload after Larson and Krishnan. Each thread replaces random buffers in an array of
 * 1,000 slots, 1,024 times, then swaps the whole array with another thread's. A thread therefore
 * releases many buffers that another thread allocated. Sizes are {@link SizeMix#SMALL}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class LarsonBenchmark {
  private static final int SLOTS = 1000;
  private static final int REPLACEMENTS = 1024;
  private static final int SEQUENCE = 1 << 15;
  private static final long SEED = 20_261_121;

  /** One array for each thread, and one that waits to be swapped. */
  private final List<Object[]> arrays = new ArrayList<>();

  private final AtomicReference<Object[]> waiting = new AtomicReference<>(new Object[0]);
  private final AtomicInteger taken = new AtomicInteger();

  /** Fills all arrays from one thread. */
  @Setup
  public void setUp(Allocator allocator, BenchmarkParams parameters) {
    arrays.clear();
    taken.set(0);
    int[] sizes = SizeMix.SMALL.sizes(SLOTS, SEED);
    for (int i = 0; i <= parameters.getThreads(); i++) {
      Object[] array = new Object[SLOTS];
      for (int slot = 0; slot < SLOTS; slot++) {
        array[slot] = allocator.subject.direct(sizes[slot]);
      }
      arrays.add(array);
    }
    waiting.set(arrays.get(0));
  }

  /** The state of one thread. */
  @State(Scope.Thread)
  public static class Worker {
    private final int[] slots = new int[SEQUENCE];
    private int[] sizes = {};
    private Object[] array = {};
    private int next;

    /** Takes an array that no other thread uses. */
    @Setup
    public void setUp(LarsonBenchmark larson) {
      int number = larson.taken.incrementAndGet();
      SplittableRandom random = new SplittableRandom(SEED + number);
      for (int i = 0; i < SEQUENCE; i++) {
        slots[i] = random.nextInt(SLOTS);
      }
      sizes = SizeMix.SMALL.sizes(SEQUENCE, SEED + number);
      array = larson.arrays.get(number);
    }
  }

  /** Replaces buffers, then swaps the array. */
  @Benchmark
  @OperationsPerInvocation(REPLACEMENTS)
  public int replace(Allocator allocator, Worker worker) {
    Subject subject = allocator.subject;
    Object[] array = worker.array;
    int next = worker.next;
    for (int i = 0; i < REPLACEMENTS; i++) {
      int at = next++ & (SEQUENCE - 1);
      int slot = worker.slots[at];
      subject.release(array[slot]);
      array[slot] = subject.direct(worker.sizes[at]);
    }
    worker.next = next;
    worker.array = waiting.getAndSet(array);
    return next;
  }

  /** Releases all buffers of all arrays. */
  @TearDown
  public void tearDown(Allocator allocator) {
    for (Object[] array : arrays) {
      for (Object buffer : array) {
        allocator.subject.release(buffer);
      }
    }
  }
}
