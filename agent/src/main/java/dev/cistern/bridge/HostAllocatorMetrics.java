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
 * The addition of Cistern's pools to Netty's own metrics. The pools serve all allocators of this
 * copy of Netty. Their memory counts for only one instance, so that sums over all instances are
 * correct. That is the first instance that pools memory of that kind, and after its collection the
 * next one. Created after the pools.
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

  /** Returns the larger number of both kinds of memory, as Netty does. */
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

  /**
   * Returns the instance to which the pool is added. Concurrent threads choose the same one,
   * because the list has one order.
   */
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
  @SuppressWarnings("deprecation") // its replacement returns the same
  static boolean isPooled(AbstractByteBufAllocator allocator, boolean direct) {
    if (allocator instanceof PooledByteBufAllocator pooled) {
      return (direct ? pooled.numDirectArenas() : pooled.numHeapArenas()) > 0;
    }
    return true; // the adaptive allocator pools both
  }
}
