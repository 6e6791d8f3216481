/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One of Netty's allocators, or one that the agent serves. */
final class NettySubject implements Subject {
  private static final long BRIDGE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final ByteBufAllocator allocator;
  private final boolean bridged;

  private NettySubject(ByteBufAllocator allocator, boolean bridged) {
    this.allocator = allocator;
    this.bridged = bridged;
  }

  static NettySubject own(ByteBufAllocator allocator) {
    return new NettySubject(allocator, false);
  }

  /**
   * Waits for the agent to serve the allocator. The check uses heap buffers. If Netty still serves,
   * a direct buffer would leave a chunk of Netty behind, which would count as Cistern's.
   */
  static NettySubject bridged(ByteBufAllocator allocator) {
    long deadline = System.nanoTime() + BRIDGE_TIMEOUT_NANOS;
    while (true) {
      ByteBuf buffer = allocator.heapBuffer(16);
      String seen = buffer.getClass().getName();
      buffer.release();
      if (seen.startsWith("dev.cistern.")) {
        return new NettySubject(allocator, true);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the agent does not serve; buffers are " + seen);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @Override
  public Object allocate(int bytes) {
    ByteBuf buffer = allocator.directBuffer(bytes);
    for (int i = 0; i < bytes; i += Meter.SYSTEM_PAGE_BYTES) {
      buffer.setByte(i, 1);
    }
    return buffer;
  }

  @Override
  public void release(Object buffer) {
    ((ByteBuf) buffer).release();
  }

  /**
   * Returns Netty's metric; for the bridge, Netty's count of direct memory, which backs the bridge.
   */
  @Override
  public long reservedBytes() {
    return bridged
        ? PlatformDependent.usedDirectMemory()
        : ((ByteBufAllocatorMetricProvider) allocator).metric().usedDirectMemory();
  }

  @Override
  public long pinnedBytes() {
    return -1;
  }

  @Override
  public String detail() {
    return "";
  }
}
