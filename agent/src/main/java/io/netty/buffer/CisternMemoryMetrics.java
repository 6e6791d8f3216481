/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Adds the pool's memory to the metrics of this copy's allocators: the instrumented allocators call
 * it with their own result just before they return it; the bridge extends it.
 *
 * <p>Nothing here throws into the host: without a bridge, or after any failure, Netty's own result
 * is returned.
 */
@NullMarked
public abstract class CisternMemoryMetrics {
  private static volatile @Nullable CisternMemoryMetrics live;

  /** Adds {@code metrics} to the results from now on; null leaves them as they are. */
  public static void live(@Nullable CisternMemoryMetrics metrics) {
    live = metrics;
  }

  /** Returns the bytes of the pool in the memory that {@code allocator} reports. */
  public static long bytesOfOurs(AbstractByteBufAllocator allocator, boolean direct) {
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
  public static long usedHeapMemory(long theirs, AbstractByteBufAllocator allocator) {
    return theirs + bytes(allocator, false, false);
  }

  /** Adds the pool's direct memory. The instrumented code calls it. */
  public static long usedDirectMemory(long theirs, AbstractByteBufAllocator allocator) {
    return theirs + bytes(allocator, true, false);
  }

  /** Adds the heap memory of the pool's buffers. The instrumented code calls it. */
  public static long pinnedHeapMemory(long theirs, AbstractByteBufAllocator allocator) {
    return theirs + bytes(allocator, false, true);
  }

  /** Adds the direct memory of the pool's buffers. The instrumented code calls it. */
  public static long pinnedDirectMemory(long theirs, AbstractByteBufAllocator allocator) {
    return theirs + bytes(allocator, true, true);
  }

  /** Adds the pool's thread caches. The instrumented code calls it. */
  public static int numThreadLocalCaches(int theirs, AbstractByteBufAllocator allocator) {
    CisternMemoryMetrics metrics = live;
    try {
      return metrics == null ? theirs : theirs + metrics.threadCaches(allocator);
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** Trims the calling thread's cache of the pool too. The instrumented code calls it. */
  public static boolean trimCurrentThreadCache(boolean theirs, AbstractByteBufAllocator allocator) {
    CisternMemoryMetrics metrics = live;
    try {
      return (metrics != null && metrics.trim(allocator)) || theirs; // the pool's is always trimmed
    } catch (Throwable failure) {
      return theirs;
    }
  }

  /** Returns the bytes of the pool that count as those of {@code allocator}. */
  protected abstract long usedBytes(AbstractByteBufAllocator allocator, boolean direct);

  /** Returns the bytes of the pool's live buffers that count as those of {@code allocator}. */
  protected abstract long pinnedBytes(AbstractByteBufAllocator allocator, boolean direct);

  /** Returns the number of the pool's thread caches that count as those of {@code allocator}. */
  protected abstract int threadCaches(AbstractByteBufAllocator allocator);

  /** Trims the calling thread's cache; returns false if that is empty. */
  protected abstract boolean trim(AbstractByteBufAllocator allocator);
}
