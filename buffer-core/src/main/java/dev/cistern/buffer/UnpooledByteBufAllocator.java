/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemorySource;

/** An allocator that allocates memory for each buffer, and frees the memory at the last release. */
public final class UnpooledByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {
  /** The allocator that prefers direct buffers. */
  public static final UnpooledByteBufAllocator DEFAULT = new UnpooledByteBufAllocator(true);

  private final MemorySource heap = new HeapMemorySource();
  private final DirectMemorySource direct;
  private final boolean tracksLeaks;
  private final ByteBufAllocatorMetric metric = new Metric();

  /**
   * Creates an allocator that tracks direct buffers and composites for leaks, and whose direct
   * memory has no cleaner.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   */
  public UnpooledByteBufAllocator(boolean preferDirect) {
    this(preferDirect, false);
  }

  /**
   * Creates an allocator whose direct memory has no cleaner.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   * @param disableLeakDetector true to track nothing for leaks, at every level
   */
  public UnpooledByteBufAllocator(boolean preferDirect, boolean disableLeakDetector) {
    this(preferDirect, disableLeakDetector, true);
  }

  /**
   * Creates an allocator.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   * @param disableLeakDetector true to track nothing for leaks, at every level
   * @param tryNoCleaner false for direct buffers of the JDK, with a cleaner; true for memory
   *     without a cleaner, if the JVM permits that. Both contain zeros
   */
  public UnpooledByteBufAllocator(
      boolean preferDirect, boolean disableLeakDetector, boolean tryNoCleaner) {
    super(preferDirect);
    tracksLeaks = !disableLeakDetector;
    direct =
        DirectMemorySource.ofBuffers(
            DirectMemoryLimit.shared(), !tryNoCleaner, OutOfMemoryTasks::run);
  }

  /** {@inheritDoc} It is not tracked: the garbage collector frees a leaked one. */
  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledByteBuf(this, heap, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    ByteBuf buffer = new UnpooledByteBuf(this, direct, initialCapacity, maxCapacity);
    return tracksLeaks ? toLeakAwareBuffer(buffer) : buffer;
  }

  @Override
  CompositeByteBuf composite(boolean isDirect, int maxNumComponents) {
    return tracksLeaks
        ? super.composite(isDirect, maxNumComponents)
        : new CompositeByteBuf(this, isDirect, maxNumComponents);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }

  @Override
  public ByteBufAllocatorMetric metric() {
    return metric;
  }

  private final class Metric implements ByteBufAllocatorMetric {
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
  }
}
