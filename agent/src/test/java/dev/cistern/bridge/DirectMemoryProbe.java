/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.stats.NettyReport.DirectMemory;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A program that allocates from the three kinds of allocators. It runs in a class loader that loads
 * its own copy of Netty.
 */
public final class DirectMemoryProbe implements Supplier<long[]> {
  static final int UNPOOLED_BYTES = 3_000_000;
  static final int CHUNK_BYTES = 8_192 << 9;

  /** Keeps the chunks: a collection during a later probe would lower the JVM's count. */
  private final List<Object> allocators = new ArrayList<>();

  /** Returns the accounts, Netty's count, and the increase of the JVM's count, in bytes. */
  @Override
  @SuppressWarnings("deprecation") // the shortest constructor with numbers of arenas
  public long[] get() {
    if (!HostDirectMemory.read(0).equals(DirectMemory.NONE)) {
      throw new IllegalStateException("an account before the first allocator");
    }
    AbstractByteBufAllocator unpooled = new UnpooledByteBufAllocator(true);
    AbstractByteBufAllocator pooled = new PooledByteBufAllocator(true, 0, 1, 8_192, 9);
    AdaptiveByteBufAllocator adaptive = new AdaptiveByteBufAllocator(true, false);
    allocators.addAll(List.of(unpooled, pooled, adaptive));
    KnownAllocators.name(unpooled, "unpooled");
    KnownAllocators.createdBy(pooled, "probe");
    KnownAllocators.see(adaptive);
    DirectMemory before = HostDirectMemory.read(0);
    long jvmBefore = jvmBytes();
    List<ByteBuf> held = new ArrayList<>();
    held.add(unpooled.directBuffer(UNPOOLED_BYTES));
    held.add(pooled.directBuffer(100_000));
    held.add(adaptive.directBuffer(100_000));
    long jvm = jvmBytes() - jvmBefore;
    DirectMemory after = HostDirectMemory.read(0);
    long adaptiveBytes = adaptive.usedDirectMemory();
    long counted = PlatformDependent.usedDirectMemory();
    held.forEach(ByteBuf::release);
    return new long[] {
      after.unpooledBytes() - before.unpooledBytes(),
      after.inJvmAccountBytes() - before.inJvmAccountBytes(),
      after.pooledBytes() - before.pooledBytes(),
      adaptiveBytes,
      counted,
      jvm
    };
  }

  private static long jvmBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
