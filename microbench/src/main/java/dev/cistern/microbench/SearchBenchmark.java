/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Searches over 4 KiB, with the only hit at their end. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SearchBenchmark extends BufferPair {
  private static final byte WANTED = 42;
  private static final byte WANTED_BACKWARD = 43;

  /** Hides what is looked for. */
  @Setup(Level.Trial)
  public void hide() {
    ours.setByte(BYTES - 1, WANTED).setByte(0, WANTED_BACKWARD);
    theirs.setByte(BYTES - 1, WANTED).setByte(0, WANTED_BACKWARD);
  }

  /** From the start. */
  @Benchmark
  public int indexOfOurs() {
    return ours.indexOf(0, BYTES, WANTED);
  }

  /** As {@link #indexOfOurs}. */
  @Benchmark
  public int indexOfNetty() {
    return theirs.indexOf(0, BYTES, WANTED);
  }

  /** From the end. */
  @Benchmark
  public int indexOfBackwardOurs() {
    return ours.indexOf(BYTES, 0, WANTED_BACKWARD);
  }

  /** As {@link #indexOfBackwardOurs}. */
  @Benchmark
  public int indexOfBackwardNetty() {
    return theirs.indexOf(BYTES, 0, WANTED_BACKWARD);
  }

  /** As a length. */
  @Benchmark
  public int bytesBeforeOurs() {
    return ours.bytesBefore(WANTED);
  }

  /** As {@link #bytesBeforeOurs}. */
  @Benchmark
  public int bytesBeforeNetty() {
    return theirs.bytesBefore(WANTED);
  }

  /** By a processor. */
  @Benchmark
  public int forEachByteOurs() {
    return ours.forEachByte(dev.cistern.util.ByteProcessor.FIND_LF);
  }

  /** As {@link #forEachByteOurs}. */
  @Benchmark
  public int forEachByteNetty() {
    return theirs.forEachByte(io.netty.util.ByteProcessor.FIND_LF);
  }
}
