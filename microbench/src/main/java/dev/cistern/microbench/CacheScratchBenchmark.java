/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Berger's cache-scratch. One thread allocates adjacent buffers of 48 B. Each thread releases one
 * of them, then allocates, writes and releases in a loop. The benchmark is slow on an allocator
 * that gives threads the parts of a cache line that they received from each other. An operation is
 * 64 writes and one pair of allocation and release.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class CacheScratchBenchmark {
  private static final int BYTES = 48;
  private static final int WRITES = 64;

  private final AtomicInteger taken = new AtomicInteger();
  private Object[] neighbours = {};

  /** Allocates the adjacent buffers from one thread. */
  @Setup(Level.Iteration)
  public void setUp(Allocator allocator, BenchmarkParams parameters) {
    neighbours = new Object[parameters.getThreads()];
    for (int i = 0; i < neighbours.length; i++) {
      neighbours[i] = allocator.subject.direct(BYTES);
    }
    taken.set(0);
  }

  /** The state of one thread. */
  @State(Scope.Thread)
  public static class Worker {
    /** Releases the buffer that the setup thread allocated for this thread. */
    @Setup(Level.Iteration)
    public void setUp(Allocator allocator, CacheScratchBenchmark scratch) {
      allocator.subject.release(scratch.neighbours[scratch.taken.getAndIncrement()]);
    }
  }

  /** Allocates a buffer, writes to it and releases it. */
  @Benchmark
  public boolean scratch(Allocator allocator, Worker worker) {
    Subject subject = allocator.subject;
    Object buffer = subject.direct(BYTES);
    for (int i = 0; i < WRITES; i++) {
      subject.setByte(buffer, i % BYTES, i);
    }
    return subject.release(buffer);
  }
}
