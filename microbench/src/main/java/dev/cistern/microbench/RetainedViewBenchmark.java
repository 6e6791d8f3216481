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

/** Creates a retained slice of a pooled buffer, reads from it once, and releases it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RetainedViewBenchmark extends BufferPair {
  private static final int OFFSET = 64;
  private static final int LENGTH = 512;

  /** Uses a slice of a Cistern buffer. */
  @Benchmark
  public int sliceOurs() {
    dev.cistern.buffer.ByteBuf slice = ours.retainedSlice(OFFSET, LENGTH);
    int read = slice.readInt();
    slice.release();
    return read;
  }

  /** Does the same as {@link #sliceOurs} with Netty. */
  @Benchmark
  public int sliceNetty() {
    io.netty.buffer.ByteBuf slice = theirs.retainedSlice(OFFSET, LENGTH);
    int read = slice.readInt();
    slice.release();
    return read;
  }
}
