/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.OutOfMemoryTasks;
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
  private final DirectMemorySource direct;
  private final boolean watchesForLeaks;
  private final ByteBufAllocatorMetric metric = new Metric();

  /**
   * Direct buffers and composites are watched for leaks, and direct memory is without a cleaner.
   *
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   */
  public UnpooledByteBufAllocator(boolean preferDirect) {
    this(preferDirect, false);
  }

  /**
   * Direct memory is without a cleaner.
   *
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   * @param disableLeakDetector true if nothing is watched for leaks, whatever the level is
   */
  public UnpooledByteBufAllocator(boolean preferDirect, boolean disableLeakDetector) {
    this(preferDirect, disableLeakDetector, true);
  }

  /**
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   * @param disableLeakDetector true if nothing is watched for leaks, whatever the level is
   * @param tryNoCleaner false for direct buffers of the JDK, with a cleaner; true for memory
   *     without one, if the JVM permits that. Both contain zeros
   */
  public UnpooledByteBufAllocator(
      boolean preferDirect, boolean disableLeakDetector, boolean tryNoCleaner) {
    super(preferDirect);
    watchesForLeaks = !disableLeakDetector;
    direct =
        DirectMemorySource.ofBuffers(
            DirectMemoryLimit.shared(), !tryNoCleaner, OutOfMemoryTasks::run);
  }

  /** Not watched: the garbage collector takes all of it. */
  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledByteBuf(this, heap, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    ByteBuf buffer = new UnpooledByteBuf(this, direct, initialCapacity, maxCapacity);
    return watchesForLeaks ? toLeakAwareBuffer(buffer) : buffer;
  }

  @Override
  public CompositeByteBuf compositeHeapBuffer(int maxNumComponents) {
    return composite(false, maxNumComponents);
  }

  @Override
  public CompositeByteBuf compositeDirectBuffer(int maxNumComponents) {
    return composite(true, maxNumComponents);
  }

  private CompositeByteBuf composite(boolean isDirect, int maxNumComponents) {
    return watchesForLeaks
        ? LeakTracking.composite(this, isDirect, maxNumComponents)
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
