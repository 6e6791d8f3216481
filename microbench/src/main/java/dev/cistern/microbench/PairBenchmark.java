/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Allocates a buffer and releases it at once, in the same thread, without writing to it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class PairBenchmark {
  /** The requested size. */
  @Param("1024")
  public int bytes;

  /** Allocates in native memory. */
  @Benchmark
  public boolean direct(Allocator allocator) {
    Subject subject = allocator.subject;
    return subject.release(subject.direct(bytes));
  }

  /** Allocates on the heap. */
  @Benchmark
  public boolean heap(Allocator allocator) {
    Subject subject = allocator.subject;
    return subject.release(subject.heap(bytes));
  }
}
