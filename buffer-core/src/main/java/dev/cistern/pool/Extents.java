/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.stats.PoolFigure;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Regions of their own for requests above the largest size class. Released ones are cached until
 * they decay, for the next request that fits.
 *
 * <p>The cache is a list under a lock, and before it the {@link ExtentStripe}s, each of which keeps
 * one extent for the threads and sizes that map to it. A cached extent keeps its object.
 */
final class Extents {
  /** Steps to a doubling that sizes are rounded up to: at most a sixteenth is lost. */
  private static final int STEPS_LOG2 = 4;

  private static final int STRIPES_FOR_EACH_CORE = 4;
  private static final int MOST_STRIPES = 64;

  private final BufferPool pool;
  private final MemorySource source;
  private final long cacheBytes;

  /**
   * Larger requests are not rounded up, which could pass the memory limit, and such extents are not
   * cached.
   */
  private final long maxCachedBytes;

  /** A power of two of them. */
  private final ExtentStripe[] stripes;

  /** Guards all below; held before a stripe is, never after. */
  private final ReentrantLock lock = new ReentrantLock();

  /** The list, newest first, linked through the extents: caching one needs no memory. */
  private Run.@Nullable Extent newest;

  /** Bytes in the list. */
  private long listedBytes;

  /** The sum of the stripes' grants; the list has the rest. */
  private long grantedBytes;

  /** Bytes in use, in the list, and in stripes. */
  private long reservedBytes;

  /** The groups of all extents, in use or not. */
  private final Set<SlotGroup> groups = ConcurrentHashMap.newKeySet();

  /** Of what went past the stripes. */
  private final ExtentCounters counters = new ExtentCounters();

  Extents(BufferPool pool, MemorySource source, long cacheBytes, long maxCachedBytes) {
    this.pool = pool;
    this.source = source;
    this.cacheBytes = cacheBytes;
    this.maxCachedBytes = maxCachedBytes;
    int wanted = STRIPES_FOR_EACH_CORE * Runtime.getRuntime().availableProcessors();
    this.stripes = new ExtentStripe[Integer.highestOneBit(Math.min(MOST_STRIPES, wanted))];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new ExtentStripe();
    }
  }

  /**
   * Hands out an extent of at least {@code bytes} bytes, which has an object.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws OutOfMemoryError if the source refuses
   */
  Run.Extent allocate(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
    }
    int size = extentBytes(bytes);
    Run.Extent extent = stripeOf(size).take(size, bytes);
    return extent != null ? extent : allocateSlow(bytes, size);
  }

  /** Threads spread, and the sizes of a thread do; neighbours in either do not meet. */
  private ExtentStripe stripeOf(int size) {
    int hash = ((int) Thread.currentThread().getId() + (size >>> 16) * 31) * 0x9E3779B9;
    return stripes[(hash >>> 16) & (stripes.length - 1)];
  }

  private Run.Extent allocateSlow(int bytes, int size) {
    StackRoom.require();
    Run.Extent cached = takeCached(bytes);
    Run.Extent extent = cached != null ? cached : make(size);
    try {
      if (extent.object() == null) {
        extent.group.bound[0] = pool.binder().bind(extent.group, 0);
      }
    } catch (RuntimeException | Error failed) {
      addReserved(-(long) extent.size);
      groups.remove(extent.group);
      source.free(extent.region);
      throw failed;
    }
    count(bytes, extent.size);
    return extent;
  }

  private Run.Extent make(int size) {
    Region region = source.allocate(size);
    Run.Extent extent;
    try {
      extent = new Run.Extent(pool, region);
      groups.add(extent.group);
    } catch (RuntimeException | Error failed) {
      source.free(region);
      throw failed;
    }
    addReserved(size);
    return extent;
  }

  private void count(int requested, int size) {
    OomRetry.lock(lock);
    try {
      counters.allocated(requested, size);
    } finally {
      lock.unlock();
    }
  }

  /** The size an extent is made with. */
  int extentBytes(int bytes) {
    if (bytes > maxCachedBytes) {
      return bytes;
    }
    int step = Integer.highestOneBit(bytes) >> STEPS_LOG2;
    int rounded = (bytes + step - 1) & -step; // a step is a power of two
    return rounded < 0 ? bytes : rounded;
  }

  /** Best fit of the list, else of the stripes, so that nothing is made where something fits. */
  private Run.@Nullable Extent takeCached(int bytes) {
    OomRetry.lock(lock);
    try {
      Run.Extent best = null;
      for (Run.Extent extent = newest; extent != null; extent = extent.next) {
        if (isBetterFit(extent, best, bytes)) {
          best = extent;
        }
      }
      if (best == null) {
        return grantedBytes == 0 ? null : takeFromStripes(bytes);
      }
      unlink(best);
      return best;
    } finally {
      lock.unlock();
    }
  }

  /** Never one that is more than a fifth larger than needed. */
  private static boolean isBetterFit(Run.Extent extent, Run.@Nullable Extent best, int bytes) {
    return extent.size >= bytes
        && extent.size - bytes <= bytes / 5
        && (best == null || extent.size < best.size);
  }

  private Run.@Nullable Extent takeFromStripes(int bytes) {
    for (ExtentStripe stripe : stripes) {
      stripe.hold();
      Run.Extent extent = stripe.extent;
      boolean fits = extent != null && isBetterFit(extent, null, bytes);
      if (fits) {
        stripe.extent = null;
      }
      stripe.letGo();
      if (fits) {
        return extent;
      }
    }
    return null;
  }

  /** Returns the groups of all extents, in use or not. */
  Set<SlotGroup> groups() {
    return groups;
  }

  private void addReserved(long bytes) {
    OomRetry.lock(lock);
    try {
      reservedBytes += bytes;
    } finally {
      lock.unlock();
    }
  }

  void release(Run.Extent extent) {
    ExtentStripe stripe = stripeOf(extent.size);
    if (!stripe.put(extent)) {
      releaseSlow(extent, stripe);
    }
  }

  private void releaseSlow(Run.Extent extent, ExtentStripe stripe) {
    StackRoom.require();
    Run.Extent excess;
    OomRetry.lock(lock);
    try {
      counters.released(extent.size);
      extent.seenIdle = false;
      boolean closed = pool.isClosed();
      boolean isTooLarge = closed || extent.size > maxCachedBytes;
      Run.Extent listed = isTooLarge ? extent : exchange(stripe, extent);
      long keepBytes = closed ? 0 : cacheBytes - grantedBytes;
      if (listed != null && (isTooLarge || listed.size > keepBytes)) {
        reservedBytes -= listed.size;
        listed.next = cutOldest(keepBytes);
        excess = listed;
      } else {
        addToList(listed);
        excess = cutOldest(keepBytes);
      }
    } finally {
      lock.unlock();
    }
    try {
      free(excess);
    } catch (RuntimeException | Error failed) { // released all the same
      pool.pendingReleases.addFailure(failed);
    }
  }

  /**
   * Puts an extent in a stripe, if the cache has as much to spare: half of it stays with the list,
   * which serves all threads.
   *
   * @return what belongs in the list now
   */
  private Run.@Nullable Extent exchange(ExtentStripe stripe, Run.Extent released) {
    stripe.hold();
    Run.Extent listed = released;
    if (grantedBytes - stripe.grantedBytes + released.size <= cacheBytes / 2) {
      listed = stripe.extent;
      grant(stripe, released.size);
      stripe.extent = released;
      stripe.used = true;
    }
    stripe.letGo();
    return listed;
  }

  private void grant(ExtentStripe stripe, int bytes) {
    grantedBytes += bytes - stripe.grantedBytes;
    stripe.grantedBytes = bytes;
  }

  private void addToList(Run.@Nullable Extent extent) {
    if (extent != null) {
      extent.next = newest;
      newest = extent;
      listedBytes += extent.size;
    }
  }

  /** Takes the oldest out of the list until the rest has at most {@code keepBytes}. */
  private Run.@Nullable Extent cutOldest(long keepBytes) {
    if (listedBytes <= keepBytes) {
      return null;
    }
    long kept = 0;
    Run.Extent last = null;
    Run.Extent first = newest;
    while (first != null && kept + first.size <= keepBytes) {
      kept += first.size;
      last = first;
      first = first.next;
    }
    if (last == null) {
      newest = null;
    } else {
      last.next = null;
    }
    reservedBytes -= listedBytes - kept;
    listedBytes = kept;
    return first;
  }

  /** Nobody else knows of these extents any more: where one fails, the others go all the same. */
  private void free(Run.@Nullable Extent first) {
    Throwable failed = null;
    for (Run.Extent extent = first; extent != null; extent = extent.next) {
      try {
        groups.remove(extent.group);
        source.free(extent.region);
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /**
   * Gives back extents that nobody has asked for in {@code decayNanos}, counted from the first call
   * that finds them idle: a release does not ask for the time.
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
          extent.next = idle;
          idle = extent;
          reservedBytes -= extent.size;
        }
      }
      for (ExtentStripe stripe : stripes) {
        Run.Extent left = takeIdle(stripe, nowNanos, decayNanos);
        if (left != null) {
          left.next = idle;
          idle = left;
          reservedBytes -= left.size;
        }
      }
    } finally {
      lock.unlock();
    }
    free(idle);
  }

  /**
   * Gives back one cached extent, without waiting for another thread.
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
      if (extent != null) {
        unlink(extent);
      } else {
        extent = tryTakeFromStripes();
      }
      if (extent == null) {
        return false;
      }
      reservedBytes -= extent.size;
    } finally {
      lock.unlock();
    }
    groups.remove(extent.group);
    source.free(extent.region);
    return true;
  }

  private Run.@Nullable Extent tryTakeFromStripes() {
    for (ExtentStripe stripe : stripes) {
      if (stripe.tryHold()) {
        Run.Extent extent = stripe.extent;
        stripe.extent = null;
        stripe.letGo();
        if (extent != null) {
          return extent;
        }
      }
    }
    return null;
  }

  /** Takes what lies idle in a stripe, and the grant of one that nobody uses. */
  private Run.@Nullable Extent takeIdle(ExtentStripe stripe, long nowNanos, long decayNanos) {
    stripe.hold();
    Run.Extent extent = stripe.extent;
    boolean idle = extent != null && extent.isIdle(nowNanos, decayNanos);
    if (idle) {
      stripe.extent = null;
    }
    if (stripe.extent == null && (!stripe.used || decayNanos == 0)) {
      grant(stripe, 0);
    }
    stripe.used = false;
    stripe.letGo();
    return idle ? extent : null;
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
    listedBytes -= extent.size;
  }

  void report(SnapshotBuilder snapshot) {
    ExtentCounters sum = new ExtentCounters();
    OomRetry.lock(lock);
    try {
      sum.add(counters);
      for (ExtentStripe stripe : stripes) {
        stripe.hold(); // all at once: what one handed out may come back to another
      }
      for (ExtentStripe stripe : stripes) {
        sum.add(stripe.counters);
      }
      for (ExtentStripe stripe : stripes) {
        stripe.letGo();
      }
      snapshot.set(PoolFigure.HUGE_RESERVED_BYTES, reservedBytes);
    } finally {
      lock.unlock();
    }
    snapshot.set(PoolFigure.HUGE_ALLOCATIONS, sum.allocations);
    snapshot.set(PoolFigure.HUGE_DEALLOCATIONS, sum.deallocations);
    snapshot.set(PoolFigure.HUGE_PINNED_BYTES, sum.allocatedBytes - sum.releasedBytes);
    snapshot.addHuge(sum.requestedBytes, sum.allocatedBytes);
  }

  /** By the list itself, not as counted. */
  private long bytesListed() {
    long bytes = 0;
    for (Run.Extent extent = newest; extent != null; extent = extent.next) {
      bytes += extent.size;
    }
    return bytes;
  }

  /**
   * At rest: what is reserved and not handed out lies in the list or in a stripe, within limits.
   *
   * @return bytes in the list and in stripes
   */
  long check() {
    OomRetry.lock(lock);
    try {
      long inStripes = 0;
      long granted = 0;
      ExtentCounters sum = new ExtentCounters();
      sum.add(counters);
      for (ExtentStripe stripe : stripes) {
        stripe.hold();
        int size = stripe.extent == null ? 0 : stripe.extent.size;
        PoolInvariants.require(size <= stripe.grantedBytes, "a stripe keeps what it was granted");
        inStripes += size;
        granted += stripe.grantedBytes;
        sum.add(stripe.counters);
        stripe.letGo();
      }
      PoolInvariants.require(granted == grantedBytes, "grants " + granted + ", " + grantedBytes);
      PoolInvariants.require(
          sum.allocatedBytes - sum.releasedBytes + listedBytes + inStripes == reservedBytes,
          "extents in use, in the list and in stripes are those reserved");
      PoolInvariants.require(
          listedBytes + granted <= cacheBytes, "cached extents " + (listedBytes + inStripes));
      return bytesListed() + inStripes;
    } finally {
      lock.unlock();
    }
  }
}
