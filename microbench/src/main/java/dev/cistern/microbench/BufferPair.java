/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A pooled buffer of 4 KiB from each library, both filled with the same bytes. */
@State(Scope.Thread)
public class BufferPair {
  static final int BYTES = 4096;

  private static final int FILLER = 7;

  /** The memory of both buffers: DIRECT or HEAP. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  ByteBuf ours;
  io.netty.buffer.ByteBuf theirs;

  /** Allocates both buffers. */
  @Setup(Level.Trial)
  public void allocate() {
    ours = allocateOurs(BYTES).writerIndex(BYTES);
    theirs = allocateTheirs(BYTES).writerIndex(BYTES);
    for (int i = 0; i < BYTES; i++) {
      ours.setByte(i, i % FILLER);
      theirs.setByte(i, i % FILLER);
    }
  }

  final ByteBuf allocateOurs(int bytes) {
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    return isDirect() ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  final io.netty.buffer.ByteBuf allocateTheirs(int bytes) {
    io.netty.buffer.PooledByteBufAllocator allocator =
        io.netty.buffer.PooledByteBufAllocator.DEFAULT;
    return isDirect() ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  private boolean isDirect() {
    return memory.equals("DIRECT");
  }

  /** Releases both buffers. */
  @TearDown(Level.Trial)
  public void release() {
    ours.release();
    theirs.release();
  }
}
