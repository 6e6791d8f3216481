/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.BufferPool;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.CisternMemoryMetrics;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What of our pools counts as an allocator instance's own. They serve all instances of this copy of
 * Netty together, so one stands for them, for sums over all instances to be true: the first seen
 * that pools memory of the kind, and when that is collected, the next. Made after the pools.
 */
final class HostAllocatorMetrics extends CisternMemoryMetrics {
  private volatile WeakReference<AbstractByteBufAllocator> chargedDirect =
      new WeakReference<>(null);
  private volatile WeakReference<AbstractByteBufAllocator> chargedHeap = new WeakReference<>(null);

  @Override
  protected long usedBytes(AbstractByteBufAllocator allocator, boolean direct) {
    return isCharged(allocator, direct) ? engine(direct).reservedBytes() : 0;
  }

  @Override
  protected long pinnedBytes(AbstractByteBufAllocator allocator, boolean direct) {
    return isCharged(allocator, direct) ? engine(direct).snapshot().pinnedBytes() : 0;
  }

  /** As Netty counts them: the kind of memory that has more. */
  @Override
  protected int threadCaches(AbstractByteBufAllocator allocator) {
    int heap = isCharged(allocator, false) ? engine(false).threadCacheCount() : 0;
    int direct = isCharged(allocator, true) ? engine(true).threadCacheCount() : 0;
    return Math.max(heap, direct);
  }

  @Override
  protected boolean trim(AbstractByteBufAllocator allocator) {
    boolean heap = engine(false).trimCurrentThreadCache();
    boolean direct = engine(true).trimCurrentThreadCache();
    return heap || direct;
  }

  private static BufferPool engine(boolean direct) {
    return direct ? NettyPools.DIRECT_ENGINE : NettyPools.HEAP_ENGINE;
  }

  private boolean isCharged(AbstractByteBufAllocator allocator, boolean direct) {
    WeakReference<AbstractByteBufAllocator> charged = direct ? chargedDirect : chargedHeap;
    if (charged.refersTo(null)) {
      charged = choose(direct);
    }
    return charged.refersTo(allocator);
  }

  /** Threads that choose at a time choose the same: the list has one order. */
  private WeakReference<AbstractByteBufAllocator> choose(boolean direct) {
    WeakReference<AbstractByteBufAllocator> chosen = new WeakReference<>(first(direct));
    if (direct) {
      chargedDirect = chosen;
    } else {
      chargedHeap = chosen;
    }
    return chosen;
  }

  private static @Nullable AbstractByteBufAllocator first(boolean direct) {
    for (AbstractByteBufAllocator allocator : KnownAllocators.list()) {
      if (isPooled(allocator, direct)) {
        return allocator;
      }
    }
    return null;
  }

  /** Returns whether an instance that allocates pools memory of this kind. */
  @SuppressWarnings("deprecation") // the metric that is to replace it says the same
  static boolean isPooled(AbstractByteBufAllocator allocator, boolean direct) {
    if (allocator instanceof PooledByteBufAllocator pooled) {
      return (direct ? pooled.numDirectArenas() : pooled.numHeapArenas()) > 0;
    }
    return true; // the adaptive one pools both
  }
}
