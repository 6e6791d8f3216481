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

/**
 * Allocate and release of a large direct buffer, untouched, and with a byte written in each page.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class LargeBenchmark {
  private static final int SYSTEM_PAGE_BYTES = 4096;

  /** The requested size. */
  @Param("1048576")
  public int bytes;

  /** Allocates and releases without writing, to measure the allocator's own cost. */
  @Benchmark
  public boolean untouched(Allocator allocator) {
    Subject subject = allocator.subject;
    return subject.release(subject.direct(bytes));
  }

  /**
   * Writes one byte in each 4 KiB, which adds the system's cost of fresh pages, if pages are fresh.
   */
  @Benchmark
  public boolean touched(Allocator allocator) {
    Subject subject = allocator.subject;
    Object buffer = subject.direct(bytes);
    for (int index = 0; index < bytes; index += SYSTEM_PAGE_BYTES) {
      subject.setByte(buffer, index, index);
    }
    return subject.release(buffer);
  }
}
