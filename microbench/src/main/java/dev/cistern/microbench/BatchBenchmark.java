/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
 * Batches of 256 buffers of {@link SizeMix#SMALL}, after MicroQuill's sh6bench and sh8bench. The
 * release order changes from batch to batch. In sh6, the thread that allocated a batch releases it.
 * In sh8, the next thread that finishes a batch releases it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class BatchBenchmark {
  private static final int BATCH = 256;
  private static final int SEQUENCE = 64 * BATCH;
  private static final long SEED = 20_261_122;

  private final AtomicReference<Object @Nullable []> waiting = new AtomicReference<>();
  private final AtomicInteger threads = new AtomicInteger();

  /** The state of one thread. */
  @State(Scope.Thread)
  public static class Worker {
    private int[] sizes = {};
    private Object[] batch = new Object[BATCH];
    private int number;

    /** Computes separate sizes for each thread. */
    @Setup
    public void setUp(BatchBenchmark benchmark) {
      sizes = SizeMix.SMALL.sizes(SEQUENCE, SEED + benchmark.threads.getAndIncrement());
    }

    private void fill(Subject subject) {
      int from = number * BATCH & (SEQUENCE - 1);
      for (int i = 0; i < BATCH; i++) {
        batch[i] = subject.direct(sizes[from + i]);
      }
      number++;
    }
  }

  /** Allocates a batch and releases it in the same thread. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void sh6(Allocator allocator, Worker worker) {
    Subject subject = allocator.subject;
    worker.fill(subject);
    ReleaseOrder.of(worker.number).release(subject, worker.batch);
  }

  /**
   * Allocates a batch and releases the batch of the previous thread, which is usually another one.
   */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void sh8(Allocator allocator, Worker worker) {
    Subject subject = allocator.subject;
    worker.fill(subject);
    Object[] other = waiting.getAndSet(worker.batch);
    if (other == null) {
      worker.batch = new Object[BATCH];
    } else {
      ReleaseOrder.of(worker.number).release(subject, other);
      worker.batch = other;
    }
  }

  /** Releases the remaining batch. */
  @TearDown
  public void tearDown(Allocator allocator) {
    Object[] left = waiting.getAndSet(null);
    if (left != null) {
      ReleaseOrder.FORWARD.release(allocator.subject, left);
    }
  }
}
