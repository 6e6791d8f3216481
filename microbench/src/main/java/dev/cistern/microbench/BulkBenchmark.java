/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import java.nio.ByteBuffer;
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

/** Copies to and from arrays, buffers and NIO buffers. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class BulkBenchmark extends BufferPair {
  /** The number of bytes to copy. */
  @Param({"64", "4096"})
  public int bytes;

  private ByteBuf ourTarget;
  private io.netty.buffer.ByteBuf theirTarget;
  private byte[] array;
  private ByteBuffer nio;

  /** Allocates the targets of the copies. */
  @Setup(Level.Trial)
  public void allocateTargets() {
    ourTarget = allocateOurs(bytes);
    theirTarget = allocateTheirs(bytes);
    array = new byte[bytes];
    nio = ByteBuffer.allocateDirect(bytes);
  }

  /** Releases the targets. */
  @TearDown(Level.Trial)
  public void releaseTargets() {
    ourTarget.release();
    theirTarget.release();
  }

  /** Copies from one buffer to another. */
  @Benchmark
  public Object bufferToBufferOurs() {
    return ourTarget.setBytes(0, ours, 0, bytes);
  }

  /** Does the same as {@link #bufferToBufferOurs} with Netty. */
  @Benchmark
  public Object bufferToBufferNetty() {
    return theirTarget.setBytes(0, theirs, 0, bytes);
  }

  /** Copies from an array. */
  @Benchmark
  public Object arrayToBufferOurs() {
    return ours.setBytes(0, array);
  }

  /** Does the same as {@link #arrayToBufferOurs} with Netty. */
  @Benchmark
  public Object arrayToBufferNetty() {
    return theirs.setBytes(0, array);
  }

  /** Copies to an array. */
  @Benchmark
  public Object bufferToArrayOurs() {
    return ours.getBytes(0, array);
  }

  /** Does the same as {@link #bufferToArrayOurs} with Netty. */
  @Benchmark
  public Object bufferToArrayNetty() {
    return theirs.getBytes(0, array);
  }

  /** Copies from a direct NIO buffer. */
  @Benchmark
  public Object nioToBufferOurs() {
    return ours.setBytes(0, nio.clear());
  }

  /** Does the same as {@link #nioToBufferOurs} with Netty. */
  @Benchmark
  public Object nioToBufferNetty() {
    return theirs.setBytes(0, nio.clear());
  }

  /** Copies to a direct NIO buffer. */
  @Benchmark
  public Object bufferToNioOurs() {
    return ours.getBytes(0, nio.clear());
  }

  /** Does the same as {@link #bufferToNioOurs} with Netty. */
  @Benchmark
  public Object bufferToNioNetty() {
    return theirs.getBytes(0, nio.clear());
  }

  /** Appends the bytes of an array to a buffer. */
  @Benchmark
  public Object writeBytesOurs() {
    return ourTarget.clear().writeBytes(ours, 0, bytes);
  }

  /** Does the same as {@link #writeBytesOurs} with Netty. */
  @Benchmark
  public Object writeBytesNetty() {
    return theirTarget.clear().writeBytes(theirs, 0, bytes);
  }

  /** Writes zeros. */
  @Benchmark
  public Object setZeroOurs() {
    return ours.setZero(0, bytes);
  }

  /** Does the same as {@link #setZeroOurs} with Netty. */
  @Benchmark
  public Object setZeroNetty() {
    return theirs.setZero(0, bytes);
  }
}
