/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Sums 512 longs of a buffer of 4 KiB, in either byte order, through the buffer itself, a slice or
 * a duplicate. The longs are at random indices, or all at the start of a cache line, or all across
 * the end of a cache line.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LongsBenchmark {
  private static final int BYTES = 4096;
  private static final int READS = 512;
  private static final int LINE_BYTES = 64;
  private static final int PAGE_BYTES = 8192;

  /** The kind of memory that holds the bytes. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  /** The view that the benchmark reads through. */
  @Param({"BUFFER", "SLICE", "DUPLICATE"})
  public String view;

  /** The indices of the longs. */
  @Param({"RANDOM", "ALIGNED", "ACROSS"})
  public String places;

  private int[] indices;
  private ByteBuf ours;
  private io.netty.buffer.ByteBuf theirs;
  private ByteBuf ourView;
  private io.netty.buffer.ByteBuf theirView;
  private ByteBuffer jdkBig;
  private ByteBuffer jdkLittle;

  /** Creates the buffers. Unless indices are random, the buffers begin at a cache line. */
  @Setup
  public void setUp() {
    indices = indices();
    boolean direct = memory.equals("DIRECT");
    int alignment = places.equals("RANDOM") ? 0 : LINE_BYTES; // Netty cannot align without Unsafe
    var our = new PooledByteBufAllocator(true, 1, 1, PAGE_BYTES, 9, 0, 0, false, alignment);
    ours = (direct ? our.directBuffer(BYTES) : our.heapBuffer(BYTES)).writeZero(BYTES);
    var their =
        new io.netty.buffer.PooledByteBufAllocator(
            true, 1, 1, PAGE_BYTES, 9, 0, 0, false, alignment);
    theirs = (direct ? their.directBuffer(BYTES) : their.heapBuffer(BYTES)).writeZero(BYTES);
    ByteBuffer jdk =
        direct
            ? ByteBuffer.allocateDirect(BYTES + LINE_BYTES).alignedSlice(LINE_BYTES)
            : ByteBuffer.allocate(BYTES);
    look(jdk);
  }

  private void look(ByteBuffer jdk) {
    switch (view) {
      case "SLICE" -> {
        ourView = ours.slice(0, BYTES);
        theirView = theirs.slice(0, BYTES);
        jdkBig = jdk.slice(0, BYTES);
      }
      case "DUPLICATE" -> {
        ourView = ours.duplicate();
        theirView = theirs.duplicate();
        jdkBig = jdk.duplicate();
      }
      default -> {
        ourView = ours;
        theirView = theirs;
        jdkBig = jdk;
      }
    }
    jdkLittle = jdkBig.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  private int[] indices() {
    if (places.equals("RANDOM")) {
      return new SplittableRandom(1).ints(READS, 0, BYTES - Long.BYTES).toArray();
    }
    int first = places.equals("ALIGNED") ? 0 : LINE_BYTES - Long.BYTES / 2;
    return IntStream.range(0, READS)
        .map(i -> first + i * LINE_BYTES % (BYTES - LINE_BYTES))
        .toArray();
  }

  /** Releases the buffers. */
  @TearDown
  public void release() {
    ours.release();
    theirs.release();
  }

  /** Reads the most significant byte first. */
  @Benchmark
  public long bigEndianOurs() {
    ByteBuf buffer = ourView;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLong(index);
    }
    return sum;
  }

  /** Does the same as {@link #bigEndianOurs} with Netty. */
  @Benchmark
  public long bigEndianNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLong(index);
    }
    return sum;
  }

  /** Does the same as {@link #bigEndianOurs} with the JDK. */
  @Benchmark
  public long bigEndianJdk() {
    ByteBuffer buffer = jdkBig;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLong(index);
    }
    return sum;
  }

  /** Reads the least significant byte first. */
  @Benchmark
  public long littleEndianOurs() {
    ByteBuf buffer = ourView;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLongLE(index);
    }
    return sum;
  }

  /** Does the same as {@link #littleEndianOurs} with Netty. */
  @Benchmark
  public long littleEndianNetty() {
    io.netty.buffer.ByteBuf buffer = theirView;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLongLE(index);
    }
    return sum;
  }

  /** Does the same as {@link #littleEndianOurs} with the JDK. */
  @Benchmark
  public long littleEndianJdk() {
    ByteBuffer buffer = jdkLittle;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLong(index);
    }
    return sum;
  }
}
