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

/** A retained slice of a pooled buffer is made, read from once, and released. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RetainedViewBenchmark extends BufferPair {
  private static final int OFFSET = 64;
  private static final int LENGTH = 512;

  /** Makes a slice. */
  @Benchmark
  public int sliceOurs() {
    dev.cistern.buffer.ByteBuf slice = ours.retainedSlice(OFFSET, LENGTH);
    int read = slice.readInt();
    slice.release();
    return read;
  }

  /** As {@link #sliceOurs}. */
  @Benchmark
  public int sliceNetty() {
    io.netty.buffer.ByteBuf slice = theirs.retainedSlice(OFFSET, LENGTH);
    int read = slice.readInt();
    slice.release();
    return read;
  }
}
