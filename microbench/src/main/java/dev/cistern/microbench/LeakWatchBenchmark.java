/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.util.ResourceLeakDetector;
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
import org.openjdk.jmh.annotations.TearDown;

/**
 * Buffers at the paranoid leak detection level, which tracks every buffer and records all accesses.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LeakWatchBenchmark {
  /** The size of a buffer. */
  @Param({"64", "1024"})
  public int bytes;

  private ResourceLeakDetector.Level ourLevel = ResourceLeakDetector.getLevel();
  private io.netty.util.ResourceLeakDetector.Level theirLevel =
      io.netty.util.ResourceLeakDetector.getLevel();
  private byte[] source = {};
  private ByteBuf ours = dev.cistern.buffer.Unpooled.EMPTY_BUFFER;
  private io.netty.buffer.ByteBuf theirs = io.netty.buffer.Unpooled.EMPTY_BUFFER;

  /** Sets both libraries to track all buffers. */
  @Setup(Level.Trial)
  public void watchAll() {
    ourLevel = ResourceLeakDetector.getLevel();
    theirLevel = io.netty.util.ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    io.netty.util.ResourceLeakDetector.setLevel(io.netty.util.ResourceLeakDetector.Level.PARANOID);
    source = new byte[bytes];
    ours = allocateOurs().writeBytes(source);
    theirs = allocateTheirs().writeBytes(source);
  }

  /** Restores the previous levels and releases the buffers. */
  @TearDown(Level.Trial)
  public void watchAsBefore() {
    ours.release();
    theirs.release();
    ResourceLeakDetector.setLevel(ourLevel);
    io.netty.util.ResourceLeakDetector.setLevel(theirLevel);
  }

  private ByteBuf allocateOurs() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
  }

  private io.netty.buffer.ByteBuf allocateTheirs() {
    return io.netty.buffer.PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
  }

  /** Allocates a buffer, writes to it and releases it. */
  @Benchmark
  public boolean pairOurs() {
    return allocateOurs().writeBytes(source).release();
  }

  /** Does the same as {@link #pairOurs} with Netty. */
  @Benchmark
  public boolean pairNetty() {
    return allocateTheirs().writeBytes(source).release();
  }

  /** Reads from an existing buffer. */
  @Benchmark
  public int accessOurs() {
    return ours.getInt(0);
  }

  /** Does the same as {@link #accessOurs} with Netty. */
  @Benchmark
  public int accessNetty() {
    return theirs.getInt(0);
  }
}
