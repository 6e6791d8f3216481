/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.CompositeByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.buffer.Unpooled;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * 512 accesses whose call site sees five kinds of buffers in random order: direct, heap, a slice, a
 * composite of two and an unreleasable wrapper. With a single kind, the compiler could inline calls
 * that it cannot inline in a server, whose handlers see all of these kinds.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class MixedBenchmark {
  private static final int KINDS = 5;
  private static final int ACCESSES = 512;
  private static final int BYTES = 1024;

  private final int[] indices = new int[ACCESSES];
  private final ByteBuf[] ours = new ByteBuf[ACCESSES];
  private final io.netty.buffer.ByteBuf[] theirs = new io.netty.buffer.ByteBuf[ACCESSES];
  private final ByteBuf[] ourKinds = new ByteBuf[KINDS];
  private final io.netty.buffer.ByteBuf[] theirKinds = new io.netty.buffer.ByteBuf[KINDS];

  /** Creates the buffers of both libraries, in the same order. */
  @Setup
  public void open() {
    PooledByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
    ourKinds[0] = pool.directBuffer(BYTES).writeZero(BYTES);
    ourKinds[1] = pool.heapBuffer(BYTES).writeZero(BYTES);
    ourKinds[2] = pool.directBuffer(2 * BYTES).writeZero(2 * BYTES).slice(BYTES / 2, BYTES);
    ourKinds[3] =
        new CompositeByteBuf(pool, true, 2)
            .addComponent(true, pool.directBuffer(BYTES / 2).writeZero(BYTES / 2))
            .addComponent(true, pool.directBuffer(BYTES / 2).writeZero(BYTES / 2));
    ourKinds[4] = Unpooled.unreleasableBuffer(pool.directBuffer(BYTES).writeZero(BYTES));

    io.netty.buffer.PooledByteBufAllocator nettyPool =
        io.netty.buffer.PooledByteBufAllocator.DEFAULT;
    theirKinds[0] = nettyPool.directBuffer(BYTES).writeZero(BYTES);
    theirKinds[1] = nettyPool.heapBuffer(BYTES).writeZero(BYTES);
    theirKinds[2] = nettyPool.directBuffer(2 * BYTES).writeZero(2 * BYTES).slice(BYTES / 2, BYTES);
    theirKinds[3] =
        new io.netty.buffer.CompositeByteBuf(nettyPool, true, 2)
            .addComponent(true, nettyPool.directBuffer(BYTES / 2).writeZero(BYTES / 2))
            .addComponent(true, nettyPool.directBuffer(BYTES / 2).writeZero(BYTES / 2));
    theirKinds[4] =
        io.netty.buffer.Unpooled.unreleasableBuffer(nettyPool.directBuffer(BYTES).writeZero(BYTES));

    SplittableRandom random = new SplittableRandom(20261126);
    for (int i = 0; i < ACCESSES; i++) {
      int kind = random.nextInt(KINDS);
      ours[i] = ourKinds[kind];
      theirs[i] = theirKinds[kind];
      indices[i] = random.nextInt(BYTES - Long.BYTES);
    }
  }

  /** Releases all buffers except the unreleasable one. */
  @TearDown
  public void close() {
    for (int kind = 0; kind < KINDS; kind++) {
      ourKinds[kind].release();
      theirKinds[kind].release();
    }
  }

  /** Sums 512 ints. */
  @Benchmark
  public int getIntsOurs() {
    int sum = 0;
    for (int i = 0; i < ACCESSES; i++) {
      sum += ours[i].getInt(indices[i]);
    }
    return sum;
  }

  /** Does the same as {@link #getIntsOurs} with Netty. */
  @Benchmark
  public int getIntsNetty() {
    int sum = 0;
    for (int i = 0; i < ACCESSES; i++) {
      sum += theirs[i].getInt(indices[i]);
    }
    return sum;
  }

  /** Sets 512 longs. */
  @Benchmark
  public void setLongsOurs() {
    for (int i = 0; i < ACCESSES; i++) {
      ours[i].setLong(indices[i], i);
    }
  }

  /** Does the same as {@link #setLongsOurs} with Netty. */
  @Benchmark
  public void setLongsNetty() {
    for (int i = 0; i < ACCESSES; i++) {
      theirs[i].setLong(indices[i], i);
    }
  }

  /** Reads 512 bytes and ints, and moves the reader index back. */
  @Benchmark
  public int readOurs() {
    int sum = 0;
    for (ByteBuf buffer : ours) {
      sum += buffer.readByte();
      sum += buffer.readInt();
      buffer.readerIndex(0);
    }
    return sum;
  }

  /** Does the same as {@link #readOurs} with Netty. */
  @Benchmark
  public int readNetty() {
    int sum = 0;
    for (io.netty.buffer.ByteBuf buffer : theirs) {
      sum += buffer.readByte();
      sum += buffer.readInt();
      buffer.readerIndex(0);
    }
    return sum;
  }
}
