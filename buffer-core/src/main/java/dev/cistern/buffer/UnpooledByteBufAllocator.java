/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemorySource;

/** Gives each buffer memory of its own, and frees it with the last release (seed row A13). */
public final class UnpooledByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {
  /** Prefers direct buffers. */
  public static final UnpooledByteBufAllocator DEFAULT = new UnpooledByteBufAllocator(true);

  private final MemorySource heap = new HeapMemorySource();
  private final CountingSource direct;

  /**
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   */
  public UnpooledByteBufAllocator(boolean preferDirect) {
    super(preferDirect);
    direct = new CountingSource(new DirectMemorySource(DirectMemoryLimit.shared(), 0, false));
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledByteBuf(this, heap, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledByteBuf(this, direct, initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }

  @Override
  public ByteBufAllocatorMetric metric() {
    return new ByteBufAllocatorMetric() {
      @Override
      public long usedHeapMemory() {
        return heap.usedBytes();
      }

      @Override
      public long usedDirectMemory() {
        return direct.ownBytes();
      }

      @Override
      public String toString() {
        return "usedHeapMemory: " + usedHeapMemory() + ", usedDirectMemory: " + usedDirectMemory();
      }
    };
  }
}
