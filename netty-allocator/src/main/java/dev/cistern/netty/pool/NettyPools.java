/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.WatchFailures;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.BufferPool;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;

/**
 * The two pools of this copy of Netty, and the allocation from them. The pools are constants of
 * this class loader, which the compiler folds.
 */
public final class NettyPools {
  /** The pool of direct memory. */
  public static final NettyPool DIRECT =
      new NettyPool(MemoryKind.DIRECT, NettyDirectMemory.INSTANCE);

  /** The pool of heap memory. */
  public static final NettyPool HEAP =
      new NettyPool(
          MemoryKind.HEAP, new HeapMemorySource(NettyPoolSettings.current().uninitializedArrays()));

  /** The engine of direct memory. The fast path calls it directly, without {@link NettyPool}. */
  public static final BufferPool DIRECT_ENGINE = DIRECT.engine();

  /** The engine of heap memory. */
  public static final BufferPool HEAP_ENGINE = HEAP.engine();

  private static final PoolHooks HOOKS = NettyFeatures.HOOKS;

  private NettyPools() {}

  /**
   * Allocates a direct buffer, in a leak-aware wrapper if Netty's detector selects it.
   *
   * @throws OutOfMemoryError if memory is short
   */
  public static ByteBuf direct(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    return handedOut(bareDirect(allocator, initialCapacity, maxCapacity));
  }

  /**
   * Allocates a heap buffer, in a leak-aware wrapper if Netty's detector selects it.
   *
   * @throws OutOfMemoryError if memory is short
   */
  public static ByteBuf heap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    return handedOut(bareHeap(allocator, initialCapacity, maxCapacity));
  }

  /** Allocates a direct buffer that Netty's leak detector does not see. */
  public static CisternByteBuf bareDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    CisternByteBuf buffer = (CisternByteBuf) DIRECT_ENGINE.allocate(initialCapacity);
    return prepared(buffer, allocator, initialCapacity, maxCapacity);
  }

  /** Allocates a heap buffer that Netty's leak detector does not see. */
  public static CisternByteBuf bareHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    CisternByteBuf buffer = (CisternByteBuf) HEAP_ENGINE.allocate(initialCapacity);
    return prepared(buffer, allocator, initialCapacity, maxCapacity);
  }

  private static CisternByteBuf prepared(
      CisternByteBuf buffer,
      AbstractByteBufAllocator allocator,
      int initialCapacity,
      int maxCapacity) {
    try {
      buffer.reuse(allocator, initialCapacity, maxCapacity);
      if (NettyFeatures.EVENTS && HOOKS.recordsAllocations()) {
        buffer.recordAllocation();
      }
      return buffer;
    } catch (Throwable failure) {
      buffer.deallocate(); // the caller does not get it
      throw failure;
    }
  }

  private static ByteBuf handedOut(CisternByteBuf buffer) {
    try {
      return leakAwareOrBare(buffer);
    } catch (Throwable failure) {
      buffer.deallocate(); // the caller does not get it
      throw failure;
    }
  }

  /**
   * Applies Netty's leak detection. Its tracker watches the bare buffer, so the slot must not refer
   * to that buffer. Otherwise the slot would keep every leaked buffer alive, and the detector would
   * not find it.
   */
  @SuppressWarnings("ReferenceEquality") // checks whether it is the same buffer or a wrapper
  private static ByteBuf leakAwareOrBare(CisternByteBuf buffer) {
    ByteBuf seen = HOOKS.leakAware(buffer);
    return seen != buffer || NettyLeakDetector.SELECTS_BY_COUNT ? watched(buffer, seen) : seen;
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private static ByteBuf watched(CisternByteBuf buffer, ByteBuf seen) {
    boolean isSelectedByNetty = seen != buffer;
    if (isSelectedByNetty) {
      buffer.leaveSlot();
    }
    try {
      return NettyLeakDetector.isSelected(isSelectedByNetty)
          ? HOOKS.recorded(buffer, seen, NettyLeakDetector.watchCounted(buffer))
          : seen;
    } catch (Throwable failure) {
      WatchFailures.add(failure); // the caller still gets its buffer
      return seen;
    }
  }
}
