/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.stats.PoolFigure;
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

  /** The cache, newest first, linked through the extents: caching one needs no memory. */
  private Run.@Nullable Extent newest;

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
    ShortHeap.lock(lock);
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
    ShortHeap.lock(lock);
    try {
      Run.Extent best = null;
      for (Run.Extent extent = newest; extent != null; extent = extent.next) {
        if (extent.bytes() >= bytes
            && extent.bytes() - bytes <= bytes / 5
            && (best == null || extent.bytes() < best.bytes())) {
          best = extent;
        }
      }
      if (best != null) {
        unlink(best);
        cachedBytes -= best.bytes();
      }
      return best;
    } finally {
      lock.unlock();
    }
  }

  private void addReserved(long bytes) {
    ShortHeap.lock(lock);
    try {
      reservedBytes += bytes;
    } finally {
      lock.unlock();
    }
  }

  void release(Run.Extent extent) {
    Run.Extent evicted;
    ShortHeap.lock(lock);
    try {
      deallocations++;
      extent.idleSinceNanos = System.nanoTime();
      extent.next = newest;
      newest = extent;
      cachedBytes += extent.bytes();
      evicted = cutOldest(pool.isClosed() ? 0 : cacheBytes);
    } finally {
      lock.unlock();
    }
    free(evicted);
  }

  /** Takes the oldest out of the cache until the rest has at most {@code keepBytes}. */
  private Run.@Nullable Extent cutOldest(long keepBytes) {
    long kept = 0;
    Run.Extent last = null;
    Run.Extent first = newest;
    while (first != null && kept + first.bytes() <= keepBytes) {
      kept += first.bytes();
      last = first;
      first = first.next;
    }
    if (last == null) {
      newest = null;
    } else {
      last.next = null;
    }
    reservedBytes -= cachedBytes - kept;
    cachedBytes = kept;
    return first;
  }

  private void drop(Run.Extent extent) {
    addReserved(-(long) extent.bytes());
    source.free(extent.region());
  }

  private void free(Run.@Nullable Extent first) {
    for (Run.Extent extent = first; extent != null; ) {
      Run.Extent next = extent.next;
      source.free(extent.region());
      extent = next;
    }
  }

  /** Gives back extents that nobody has asked for in {@code decayNanos}. */
  void releaseIdle(long decayNanos) {
    Run.Extent idle = null;
    ShortHeap.lock(lock);
    try {
      long nowNanos = System.nanoTime();
      Run.Extent next;
      for (Run.Extent extent = newest; extent != null; extent = next) {
        next = extent.next;
        if (nowNanos - extent.idleSinceNanos >= decayNanos) {
          unlink(extent);
          cachedBytes -= extent.bytes();
          reservedBytes -= extent.bytes();
          extent.next = idle;
          idle = extent;
        }
      }
    } finally {
      lock.unlock();
    }
    free(idle);
  }

  private void unlink(Run.Extent extent) {
    Run.Extent before = null;
    for (Run.Extent e = newest; e != null && !e.equals(extent); e = e.next) {
      before = e;
    }
    if (before == null) {
      newest = extent.next;
    } else {
      before.next = extent.next;
    }
    extent.next = null;
  }

  void report(SnapshotBuilder snapshot) {
    ShortHeap.lock(lock);
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
