/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.stats.PoolFigure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Regions of their own for requests above the chunk size. Released ones wait a while for the next
 * request that fits; above the cache's limits a request gets exactly what it asked for, unpooled.
 */
final class Extents {
  /** Steps to a doubling that sizes are rounded up to: at most a sixteenth is lost. */
  private static final int STEPS_LOG2 = 4;

  private final BufferPool pool;
  private final MemorySource source;
  private final long cacheBytes;

  /** Guards all below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ArrayDeque<Run.Extent> cached = new ArrayDeque<>();
  private long cachedBytes;
  private long reservedBytes;
  private long allocations;
  private long deallocations;
  private long requestedBytes;
  private long roundedBytes;

  Extents(BufferPool pool, MemorySource source, long cacheBytes) {
    this.pool = pool;
    this.source = source;
    this.cacheBytes = cacheBytes;
  }

  /**
   * Hands out an extent of at least {@code bytes} bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws OutOfMemoryError if the source refuses
   */
  Object allocate(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
    }
    Run.Extent extent = takeCached(bytes);
    if (extent == null) {
      extent = new Run.Extent(source.allocate(extentBytes(bytes)));
      addReserved(extent.bytes());
    }
    try {
      Object bound = pool.binder().bind(SlotGroup.extent(pool, pool.anyArena(), extent), 0);
      count(bytes, extent.bytes());
      return bound;
    } catch (RuntimeException | Error failed) {
      drop(extent);
      throw failed;
    }
  }

  private void count(int requested, int rounded) {
    lock.lock();
    try {
      allocations++;
      requestedBytes += requested;
      roundedBytes += rounded;
    } finally {
      lock.unlock();
    }
  }

  /** The size an extent is made with. */
  int extentBytes(int bytes) {
    if (bytes > cacheBytes) {
      return bytes;
    }
    int step = Integer.highestOneBit(bytes) >> STEPS_LOG2;
    long rounded = ((long) bytes + step - 1) / step * step;
    return rounded > Integer.MAX_VALUE ? bytes : (int) rounded;
  }

  /** Best fit, and never one that is more than a fifth larger than needed. */
  private Run.@Nullable Extent takeCached(int bytes) {
    lock.lock();
    try {
      Run.Extent best = null;
      for (Run.Extent extent : cached) {
        if (extent.bytes() >= bytes
            && extent.bytes() - bytes <= bytes / 5
            && (best == null || extent.bytes() < best.bytes())) {
          best = extent;
        }
      }
      if (best != null) {
        cached.removeFirstOccurrence(best);
        cachedBytes -= best.bytes();
      }
      return best;
    } finally {
      lock.unlock();
    }
  }

  private void addReserved(long bytes) {
    lock.lock();
    try {
      reservedBytes += bytes;
    } finally {
      lock.unlock();
    }
  }

  void release(Run.Extent extent) {
    List<Run.Extent> evicted = new ArrayList<>();
    lock.lock();
    try {
      deallocations++;
      extent.idleSinceNanos = System.nanoTime();
      cached.addFirst(extent);
      cachedBytes += extent.bytes();
      while (cachedBytes > cacheBytes || (pool.isClosed() && !cached.isEmpty())) {
        evicted.add(evictOldest());
      }
    } finally {
      lock.unlock();
    }
    free(evicted);
  }

  private Run.Extent evictOldest() {
    Run.Extent oldest = cached.removeLast();
    cachedBytes -= oldest.bytes();
    reservedBytes -= oldest.bytes();
    return oldest;
  }

  private void drop(Run.Extent extent) {
    addReserved(-(long) extent.bytes());
    source.free(extent.region());
  }

  private void free(List<Run.Extent> extents) {
    for (Run.Extent extent : extents) {
      source.free(extent.region());
    }
  }

  /** Gives back extents that nobody has asked for in {@code decayNanos}. */
  void releaseIdle(long decayNanos) {
    List<Run.Extent> idle = new ArrayList<>();
    lock.lock();
    try {
      long nowNanos = System.nanoTime();
      for (Iterator<Run.Extent> i = cached.iterator(); i.hasNext(); ) {
        Run.Extent extent = i.next();
        if (nowNanos - extent.idleSinceNanos >= decayNanos) {
          i.remove();
          cachedBytes -= extent.bytes();
          reservedBytes -= extent.bytes();
          idle.add(extent);
        }
      }
    } finally {
      lock.unlock();
    }
    free(idle);
  }

  void report(SnapshotBuilder snapshot) {
    lock.lock();
    try {
      snapshot.set(PoolFigure.HUGE_ALLOCATIONS, allocations);
      snapshot.set(PoolFigure.HUGE_DEALLOCATIONS, deallocations);
      snapshot.set(PoolFigure.HUGE_RESERVED_BYTES, reservedBytes);
      snapshot.set(PoolFigure.HUGE_PINNED_BYTES, reservedBytes - cachedBytes);
      snapshot.addHuge(requestedBytes, roundedBytes);
    } finally {
      lock.unlock();
    }
  }
}
