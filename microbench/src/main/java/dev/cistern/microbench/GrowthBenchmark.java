/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Writes 1 KiB at a time to a direct buffer that grows from 64 B to 1 MiB. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class GrowthBenchmark {
  private static final int FIRST_BYTES = 64;
  private static final int LAST_BYTES = 1 << 20;

  private final byte[] piece = new byte[1 << 10];

  /** Allocates, fills and releases one buffer. */
  @Benchmark
  public boolean grow(Allocator allocator) {
    Subject subject = allocator.subject;
    Object buffer = subject.direct(FIRST_BYTES);
    for (int written = 0; written < LAST_BYTES; written += piece.length) {
      subject.append(buffer, piece);
    }
    return subject.release(buffer);
  }
}
