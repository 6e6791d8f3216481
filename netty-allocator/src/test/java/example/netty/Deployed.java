/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import dev.cistern.netty.CisternAllocator;
import io.netty.buffer.ByteBuf;

/** An application in a separate class loader that shuts its allocator down. */
public final class Deployed implements Runnable {
  @Override
  public void run() {
    CisternAllocator allocator = CisternAllocator.DEFAULT;
    ByteBuf held = allocator.directBuffer(1_000).writeLong(42);
    allocator.directBuffer(100_000).release();
    allocator.heapBuffer(1_000).release();
    EchoServer.require(allocator.metric().usedDirectMemory() > 0, "no memory is reserved");
    allocator.shutdown();
    EchoServer.require(held.readLong() == 42, "a buffer in use changed");
    EchoServer.require(held.release(), "the buffer was not released");
    EchoServer.require(allocator.metric().usedHeapMemory() == 0, "heap memory is kept");
    ByteBuf again = allocator.directBuffer(10_000).writeByte(1);
    EchoServer.require(again.release(), "allocation after shutdown() failed");
    allocator.shutdown();
    EchoServer.require(allocator.metric().usedDirectMemory() == 0, "direct memory is kept");
  }
}
