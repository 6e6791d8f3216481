/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reads and writes numbers through views of 4 KiB, in sequence and at random indices. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ViewBenchmark extends BufferPair {
  private static final int RANDOM_ACCESSES = 512;

  /** The kind of view. */
  @Param({"SLICE", "SLICE_OF_SLICE", "DUPLICATE"})
  public String view;

  private final int[] indices =
      new SplittableRandom(1).ints(RANDOM_ACCESSES, 0, BYTES - Integer.BYTES).toArray();

  private ByteBuf ourView;
  private io.netty.buffer.ByteBuf theirView;

  /** Creates the views. */
  @Setup(Level.Trial)
  public void look() {
    switch (view) {
      case "SLICE" -> {
        ourView = ours.slice(0, BYTES);
        theirView = theirs.slice(0, BYTES);
      }
      case "SLICE_OF_SLICE" -> {
        ourView = ours.slice(0, BYTES).slice(0, BYTES);
        theirView = theirs.slice(0, BYTES).slice(0, BYTES);
      }
      default -> {
        ourView = ours.duplicate();
        theirView = theirs.duplicate();
      }
    }
  }

  /** Sums 512 longs. */
  @Benchmark
  public long getLongsOurs() {
    ByteBuf buffer = ourView;
    long sum = 0;
    for (int i = 0; i < BYTES - 7; i += 8) {
      sum += buffer.getLong(i);
    }
    return sum;
  }

  /** Does the same as {@link #getLongsOurs} with Netty. */
  @Benchmark
  public long getLongsNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    long sum = 0;
    for (int i = 0; i < BYTES - 7; i += 8) {
      sum += buffer.getLong(i);
    }
    return sum;
  }

  /** Sums 4,096 bytes. */
  @Benchmark
  public long getBytesOurs() {
    ByteBuf buffer = ourView;
    long sum = 0;
    for (int i = 0; i < BYTES; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  /** Does the same as {@link #getBytesOurs} with Netty. */
  @Benchmark
  public long getBytesNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    long sum = 0;
    for (int i = 0; i < BYTES; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  /** Sets 1,024 ints. */
  @Benchmark
  public void setIntsOurs() {
    ByteBuf buffer = ourView;
    for (int i = 0; i < BYTES - 3; i += 4) {
      buffer.setInt(i, i);
    }
  }

  /** Does the same as {@link #setIntsOurs} with Netty. */
  @Benchmark
  public void setIntsNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    for (int i = 0; i < BYTES - 3; i += 4) {
      buffer.setInt(i, i);
    }
  }

  /** Writes 1,024 ints. */
  @Benchmark
  public void writeIntsOurs() {
    ByteBuf buffer = ourView.clear();
    for (int i = 0; i < BYTES / Integer.BYTES; i++) {
      buffer.writeInt(i);
    }
  }

  /** Does the same as {@link #writeIntsOurs} with Netty. */
  @Benchmark
  public void writeIntsNetty() {
    io.netty.buffer.ByteBuf buffer = theirView.clear();
    for (int i = 0; i < BYTES / Integer.BYTES; i++) {
      buffer.writeInt(i);
    }
  }

  /** Sums 512 ints at random. */
  @Benchmark
  public long getIntsRandomOurs() {
    ByteBuf buffer = ourView;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getInt(index);
    }
    return sum;
  }

  /** Does the same as {@link #getIntsRandomOurs} with Netty. */
  @Benchmark
  public long getIntsRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getInt(index);
    }
    return sum;
  }

  /** Sets 512 ints at random. */
  @Benchmark
  public void setIntsRandomOurs() {
    ByteBuf buffer = ourView;
    for (int index : indices) {
      buffer.setInt(index, index);
    }
  }

  /** Does the same as {@link #setIntsRandomOurs} with Netty. */
  @Benchmark
  public void setIntsRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    for (int index : indices) {
      buffer.setInt(index, index);
    }
  }
}
