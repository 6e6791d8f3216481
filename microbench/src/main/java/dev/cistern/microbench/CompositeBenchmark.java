/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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
 * 512 accesses to a composite of 4 KiB with 16 components: all of 256 bytes, or of 32 to 480 bytes
 * in random order.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class CompositeBenchmark {
  private static final int COMPONENTS = 16;
  private static final int CAPACITY = 4096;
  private static final int STEP = 32;
  private static final int ACCESSES = 512;

  /** The kind of memory that holds the bytes. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  /** Whether all components have the same length. */
  @Param({"EVEN", "UNEVEN"})
  public String lengths;

  private final int[] indices = new int[ACCESSES];
  private CompositeByteBuf ours;
  private io.netty.buffer.CompositeByteBuf netty;

  /** Creates both composites. */
  @Setup
  public void open() {
    boolean direct = memory.equals("DIRECT");
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    io.netty.buffer.PooledByteBufAllocator theirs = io.netty.buffer.PooledByteBufAllocator.DEFAULT;
    ours = new CompositeByteBuf(allocator, direct, COMPONENTS);
    netty = new io.netty.buffer.CompositeByteBuf(theirs, direct, COMPONENTS);
    for (int i = 0; i < COMPONENTS; i++) {
      int bytes = lengths.equals("EVEN") ? CAPACITY / COMPONENTS : STEP * (i * 7 % 16);
      bytes = bytes == 0 ? CAPACITY - STEP * 120 : bytes;
      ours.addComponent(
          true,
          (direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes)).writeZero(bytes));
      netty.addComponent(
          true, (direct ? theirs.directBuffer(bytes) : theirs.heapBuffer(bytes)).writeZero(bytes));
    }
    Random random = new Random(20261121);
    for (int i = 0; i < ACCESSES; i++) {
      indices[i] = random.nextInt(CAPACITY - Long.BYTES + 1);
    }
  }

  /** Releases both composites. */
  @TearDown
  public void close() {
    ours.release();
    netty.release();
  }

  /** Reads bytes at random. */
  @Benchmark
  public int getByteRandomOurs() {
    int sum = 0;
    for (int index : indices) {
      sum += ours.getByte(index);
    }
    return sum;
  }

  /** Reads bytes at random. */
  @Benchmark
  public int getByteRandomNetty() {
    int sum = 0;
    for (int index : indices) {
      sum += netty.getByte(index);
    }
    return sum;
  }

  /** Reads ints at random. */
  @Benchmark
  public int getIntRandomOurs() {
    int sum = 0;
    for (int index : indices) {
      sum += ours.getInt(index);
    }
    return sum;
  }

  /** Reads ints at random. */
  @Benchmark
  public int getIntRandomNetty() {
    int sum = 0;
    for (int index : indices) {
      sum += netty.getInt(index);
    }
    return sum;
  }

  /** Reads longs at random. */
  @Benchmark
  public long getLongRandomOurs() {
    long sum = 0;
    for (int index : indices) {
      sum += ours.getLong(index);
    }
    return sum;
  }

  /** Reads longs at random. */
  @Benchmark
  public long getLongRandomNetty() {
    long sum = 0;
    for (int index : indices) {
      sum += netty.getLong(index);
    }
    return sum;
  }

  /** Writes ints at random. */
  @Benchmark
  public Object setIntRandomOurs() {
    for (int index : indices) {
      ours.setInt(index, index);
    }
    return ours;
  }

  /** Writes ints at random. */
  @Benchmark
  public Object setIntRandomNetty() {
    for (int index : indices) {
      netty.setInt(index, index);
    }
    return netty;
  }

  /** Reads 512 longs one after the other. */
  @Benchmark
  public long getLongSequentialOurs() {
    long sum = 0;
    for (int index = 0; index < CAPACITY; index += Long.BYTES) {
      sum += ours.getLong(index);
    }
    return sum;
  }

  /** Reads 512 longs one after the other. */
  @Benchmark
  public long getLongSequentialNetty() {
    long sum = 0;
    for (int index = 0; index < CAPACITY; index += Long.BYTES) {
      sum += netty.getLong(index);
    }
    return sum;
  }

  /** Reads 512 longs by the reader index. */
  @Benchmark
  public long readLongOurs() {
    ours.readerIndex(0);
    long sum = 0;
    for (int i = 0; i < ACCESSES; i++) {
      sum += ours.readLong();
    }
    return sum;
  }

  /** Reads 512 longs by the reader index. */
  @Benchmark
  public long readLongNetty() {
    netty.readerIndex(0);
    long sum = 0;
    for (int i = 0; i < ACCESSES; i++) {
      sum += netty.readLong();
    }
    return sum;
  }
}
