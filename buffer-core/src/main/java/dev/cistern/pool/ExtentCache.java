/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.stats.PoolStat;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The extents of a pool: separate regions for requests above the largest size class. A released
 * extent is cached for the next request that fits, until it decays. A cached extent keeps its
 * object. No thread calls the memory source under the lock.
 */
final class ExtentCache {
  /**
   * The logarithm of the number of steps per doubling to which sizes are rounded up, which wastes
   * up to a sixteenth.
   */
  private static final int STEPS_LOG2 = 4;

  private final BufferPool pool;
  private final MemorySource source;
  private final long cacheBytes;

  /**
   * The size of the largest cached extent. Larger requests are not rounded up, because that could
   * exceed the memory limit.
   */
  private final long maxCachedBytes;

  /** The groups of all extents, in use or cached. */
  private final Set<SlotGroup> groups = ConcurrentHashMap.newKeySet();

  /** The lock that guards all fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * The newest cached extent. The cache is linked through the extents, so that it needs no memory.
   */
  Run.@Nullable Extent newest;

  /** Bytes in the cache. */
  private long cachedBytes;

  /** Bytes in use and in the cache. */
  private long reservedBytes;

  private long allocations;
  private long deallocations;
  private long requestedBytes;
  private long allocatedBytes;
  private long releasedBytes;

  ExtentCache(BufferPool pool, MemorySource source, long cacheBytes, long maxCachedBytes) {
    this.pool = pool;
    this.source = source;
    this.cacheBytes = cacheBytes;
    this.maxCachedBytes = maxCachedBytes;
  }

  /** Returns the groups of all extents, in use or cached. */
  Set<SlotGroup> groups() {
    return groups;
  }

  /** Returns the size of an extent for a request, in bytes. */
  int extentBytes(int bytes) {
    if (bytes > maxCachedBytes) {
      return bytes;
    }
    int step = Integer.highestOneBit(bytes) >> STEPS_LOG2;
    int rounded = (bytes + step - 1) & -step; // a step is a power of two
    return rounded < 0 ? bytes : rounded;
  }

  // ---- allocation

  /**
   * Returns the slot of an extent of at least {@code bytes} bytes, with an object bound to it.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws OutOfMemoryError if the source refuses
   */
  SlotGroup allocate(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
    }
    StackRoom.require();
    Run.Extent extent = takeCached(bytes);
    if (extent == null) {
      extent = make(bytes);
    } else if (extent.group.bound[1] == null) {
      bind(extent);
    }
    return extent.group;
  }

  private Run.Extent make(int bytes) {
    Region region = source.allocate(extentBytes(bytes));
    Run.Extent extent;
    try {
      extent = new Run.Extent(pool, region);
      groups.add(extent.group);
    } catch (Throwable failed) {
      source.free(region);
      throw failed;
    }
    OomRetry.lock(lock);
    try {
      reservedBytes += extent.bytes();
      countAllocation(bytes, extent);
    } finally {
      lock.unlock();
    }
    bind(extent);
    return extent;
  }

  private void countAllocation(int requested, Run.Extent extent) {
    allocations++;
    requestedBytes += requested;
    allocatedBytes += extent.bytes();
  }

  /** Binds an object. If the front end fails to create one, releases the extent. */
  private void bind(Run.Extent extent) {
    try {
      extent.group.bound[1] = pool.binder().bind(extent.group, 1);
    } catch (RuntimeException | Error failed) {
      release(extent);
      throw failed;
    }
  }

  /** Takes the cached extent that fits best; returns null if none fits. */
  private Run.@Nullable Extent takeCached(int bytes) {
    OomRetry.lock(lock);
    try {
      Run.Extent best = null;
      for (Run.Extent extent = newest; extent != null; extent = extent.next) {
        if (isBetterFit(extent, best, bytes)) {
          best = extent;
        }
      }
      if (best != null) {
        unlink(best);
        countAllocation(bytes, best);
      }
      return best;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether an extent fits better: it must be up to a fifth larger than the request. */
  private static boolean isBetterFit(Run.Extent extent, Run.@Nullable Extent best, int bytes) {
    return extent.bytes() >= bytes
        && extent.bytes() - bytes <= bytes / 5
        && (best == null || extent.bytes() < best.bytes());
  }

  // ---- release

  /** Releases an extent, even if the memory source fails. */
  void release(Run.Extent extent) {
    StackRoom.require();
    Run.Extent excess;
    OomRetry.lock(lock);
    try {
      deallocations++;
      releasedBytes += extent.bytes();
      long keepBytes = pool.isClosed() ? 0 : cacheBytes;
      if (extent.bytes() > Math.min(maxCachedBytes, keepBytes)) {
        reservedBytes -= extent.bytes();
        extent.next = null;
        excess = extent;
      } else {
        extent.hasBeenIdle = false;
        extent.next = newest;
        newest = extent;
        cachedBytes += extent.bytes();
        excess = cutOldest(keepBytes);
      }
    } finally {
      lock.unlock();
    }
    try {
      free(excess);
    } catch (RuntimeException | Error failed) {
      pool.pendingReleases.addFailure(failed);
    }
  }

  /** Removes the oldest extents from the cache until it has up to {@code keepBytes}. */
  private Run.@Nullable Extent cutOldest(long keepBytes) {
    long kept = 0;
    Run.Extent last = null;
    Run.Extent first = newest;
    while (cachedBytes > keepBytes && first != null && kept + first.bytes() <= keepBytes) {
      kept += first.bytes();
      last = first;
      first = first.next;
    }
    if (cachedBytes <= keepBytes) {
      return null;
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

  /**
   * Frees extents that only this thread has. A failure does not prevent the release of later
   * extents.
   */
  private void free(Run.@Nullable Extent first) {
    Throwable failed = null;
    for (Run.Extent extent = first; extent != null; extent = extent.next) {
      try {
        source.free(extent.region);
        groups.remove(extent.group);
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /**
   * Frees extents that were cached for {@code decayNanos}, counted from the first call that finds
   * them in the cache, because a release does not read the time.
   */
  void releaseIdle(long decayNanos) {
    Run.Extent idle = null;
    OomRetry.lock(lock);
    try {
      long nowNanos = System.nanoTime();
      Run.Extent next;
      for (Run.Extent extent = newest; extent != null; extent = next) {
        next = extent.next;
        if (extent.isIdle(nowNanos, decayNanos)) {
          unlink(extent);
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

  /**
   * Frees one cached extent, without waiting for another thread.
   *
   * @return whether there was one
   */
  boolean tryFreeOne() {
    if (!lock.tryLock()) {
      return false;
    }
    Run.Extent extent;
    try {
      extent = newest;
      if (extent == null) {
        return false;
      }
      unlink(extent);
      reservedBytes -= extent.bytes();
    } finally {
      lock.unlock();
    }
    free(extent);
    return true;
  }

  private void unlink(Run.Extent extent) {
    if (newest == extent) {
      newest = extent.next;
    } else {
      Run.Extent before = Objects.requireNonNull(newest);
      while (before.next != extent) {
        before = Objects.requireNonNull(before.next);
      }
      before.next = extent.next;
    }
    extent.next = null;
    cachedBytes -= extent.bytes();
  }

  // ---- statistics

  void report(SnapshotBuilder snapshot) {
    OomRetry.lock(lock);
    try {
      snapshot.set(PoolStat.HUGE_RESERVED_BYTES, reservedBytes);
      snapshot.set(PoolStat.HUGE_ALLOCATIONS, allocations);
      snapshot.set(PoolStat.HUGE_DEALLOCATIONS, deallocations);
      snapshot.set(PoolStat.HUGE_PINNED_BYTES, allocatedBytes - releasedBytes);
      snapshot.addHuge(requestedBytes, allocatedBytes);
    } finally {
      lock.unlock();
    }
  }
}
