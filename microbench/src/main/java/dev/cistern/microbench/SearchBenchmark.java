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

/** Searches over 4 KiB, with the only match at the end of the search. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SearchBenchmark extends BufferPair {
  private static final byte WANTED = 42;
  private static final byte WANTED_BACKWARD = 43;

  /** Writes the bytes to search for. */
  @Setup(Level.Trial)
  public void hide() {
    ours.setByte(BYTES - 1, WANTED).setByte(0, WANTED_BACKWARD);
    theirs.setByte(BYTES - 1, WANTED).setByte(0, WANTED_BACKWARD);
  }

  /** Searches from the start. */
  @Benchmark
  public int indexOfOurs() {
    return ours.indexOf(0, BYTES, WANTED);
  }

  /** Does the same as {@link #indexOfOurs} with Netty. */
  @Benchmark
  public int indexOfNetty() {
    return theirs.indexOf(0, BYTES, WANTED);
  }

  /** Searches from the end. */
  @Benchmark
  public int indexOfBackwardOurs() {
    return ours.indexOf(BYTES, 0, WANTED_BACKWARD);
  }

  /** Does the same as {@link #indexOfBackwardOurs} with Netty. */
  @Benchmark
  public int indexOfBackwardNetty() {
    return theirs.indexOf(BYTES, 0, WANTED_BACKWARD);
  }

  /** Searches for a byte and returns the distance. */
  @Benchmark
  public int bytesBeforeOurs() {
    return ours.bytesBefore(WANTED);
  }

  /** Does the same as {@link #bytesBeforeOurs} with Netty. */
  @Benchmark
  public int bytesBeforeNetty() {
    return theirs.bytesBefore(WANTED);
  }

  /** Searches with a processor. */
  @Benchmark
  public int forEachByteOurs() {
    return ours.forEachByte(dev.cistern.util.ByteProcessor.FIND_LF);
  }

  /** Does the same as {@link #forEachByteOurs} with Netty. */
  @Benchmark
  public int forEachByteNetty() {
    return theirs.forEachByte(io.netty.util.ByteProcessor.FIND_LF);
  }
}
