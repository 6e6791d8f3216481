/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that adds the pool's memory to the metrics of this copy's
 * allocators. The instrumented allocators call it with their own result just before they return it.
 * The bridge extends it.
 *
 * <p>No method throws into the host. Without a bridge, or after any failure, the result is Netty's
 * own.
 */
@NullMarked
public abstract class CisternMemoryMetrics {
  private static volatile @Nullable CisternMemoryMetrics live;

  /** Sets the metrics that are added to the results; null for none. */
  public static void live(@Nullable CisternMemoryMetrics metrics) {
    live = metrics;
  }

  /** Returns the bytes of the pool in the memory that {@code allocator} reports. */
  public static long poolBytes(AbstractByteBufAllocator allocator, boolean direct) {
    return bytes(allocator, direct, false);
  }

  private static long bytes(AbstractByteBufAllocator allocator, boolean direct, boolean pinned) {
    CisternMemoryMetrics metrics = live;
    try {
      if (metrics == null) {
        return 0;
      }
      return pinned ? metrics.pinnedBytes(allocator, direct) : metrics.usedBytes(allocator, direct);
    } catch (Throwable failure) {
      return 0;
    }
  }

  /** Adds the pool's heap memory. The instrumented code calls it. */
  public static long usedHeapMemory(long result, AbstractByteBufAllocator allocator) {
    return result + bytes(allocator, false, false);
  }

  /** Adds the pool's direct memory. The instrumented code calls it. */
  public static long usedDirectMemory(long result, AbstractByteBufAllocator allocator) {
    return result + bytes(allocator, true, false);
  }

  /** Adds the heap memory of the pool's buffers. The instrumented code calls it. */
  public static long pinnedHeapMemory(long result, AbstractByteBufAllocator allocator) {
    return result + bytes(allocator, false, true);
  }

  /** Adds the direct memory of the pool's buffers. The instrumented code calls it. */
  public static long pinnedDirectMemory(long result, AbstractByteBufAllocator allocator) {
    return result + bytes(allocator, true, true);
  }

  /** Adds the pool's thread caches. The instrumented code calls it. */
  public static int numThreadLocalCaches(int result, AbstractByteBufAllocator allocator) {
    CisternMemoryMetrics metrics = live;
    try {
      return metrics == null ? result : result + metrics.threadCaches(allocator);
    } catch (Throwable failure) {
      return result;
    }
  }

  /** Trims the calling thread's cache of the pool too. The instrumented code calls it. */
  public static boolean trimCurrentThreadCache(boolean result, AbstractByteBufAllocator allocator) {
    CisternMemoryMetrics metrics = live;
    try {
      return (metrics != null && metrics.trim(allocator)) || result; // both caches are trimmed
    } catch (Throwable failure) {
      return result;
    }
  }

  /** Returns the bytes of the pool that count as those of {@code allocator}. */
  protected abstract long usedBytes(AbstractByteBufAllocator allocator, boolean direct);

  /** Returns the bytes of the pool's live buffers that count as those of {@code allocator}. */
  protected abstract long pinnedBytes(AbstractByteBufAllocator allocator, boolean direct);

  /** Returns the number of the pool's thread caches that count as those of {@code allocator}. */
  protected abstract int threadCaches(AbstractByteBufAllocator allocator);

  /** Trims the calling thread's cache. Returns false if the cache is empty. */
  protected abstract boolean trim(AbstractByteBufAllocator allocator);
}
