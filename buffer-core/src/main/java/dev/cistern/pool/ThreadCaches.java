/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolStat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The thread caches of a pool, and the counters of all caches that the pool ever had.
 *
 * <p>A table of the pool finds the caches, because it is faster than a thread-local. Also, no
 * thread ever refers to the pool's classes, so that a class loader with a pool can be collected
 * while its threads are alive.
 */
final class ThreadCaches {
  private final BufferPool pool;
  private final Arena[] arenas;
  final ThreadTable table;

  /** The lock that guards the writes to all fields below, and to the table. */
  final ReentrantLock lock = new ReentrantLock();

  /** The caches of threads, and caches of any kind that still have to abandon groups. */
  final ArrayList<ThreadCache> live = new ArrayList<>();

  /** Number of thread caches that are not retiring; read without the lock as a hint. */
  private int threadCaches;

  /** The newest counters, which link to the older ones. */
  private volatile @Nullable CacheCounters newestCounters;

  /** The counters that no cache uses, by arena. */
  private final @Nullable CacheCounters[] spares;

  private long revoked;
  private long retired;
  private int nextToProbe;

  /** The maximum of the hits that snapshots have reported. Any thread writes it. */
  private final AtomicLong maxHitsReported = new AtomicLong();

  /**
   * Whether a cache is retired. Created in advance, because later there may be no memory to link a
   * lambda.
   */
  private final Predicate<ThreadCache> isRetired;

  ThreadCaches(BufferPool pool, Arena[] arenas) {
    this.isRetired = cache -> cache.isRetired;
    this.pool = pool;
    this.arenas = arenas;
    this.spares = new CacheCounters[arenas.length];
    this.table = new ThreadTable(pool.noGroup, pool.sizeClasses.count());
  }

  /** Returns the calling thread's cache, or null if it has none yet. */
  @Nullable ThreadCache current() {
    return table.find(Thread.currentThread());
  }

  // ---- a new cache

  /**
   * Returns a new cache for the calling thread, on the arena with the fewest caches, or the
   * thread's suspended cache. Returns null if there are too many caches; the thread then uses a
   * shared cache.
   */
  @Nullable ThreadCache create() {
    if (threadCaches >= ThreadTable.MAX_CACHES) {
      return null; // a hint: the check under the lock decides
    }
    StackRoom.require();
    OomRetry.lock(lock);
    try {
      ThreadCache own = ownOf(Thread.currentThread());
      if (own != null) {
        if (own.idleState.isSuspended) {
          resume(own);
        }
        return own;
      }
      reapIfAnyDead();
      if (threadCaches >= ThreadTable.MAX_CACHES) {
        return null;
      }
      live.ensureCapacity(live.size() + 1); // if this fails, nothing has changed
      ThreadCache cache = newCache(leastUsedArena(), Thread.currentThread());
      live.add(cache);
      table.add(cache);
      threadCaches++;
      cache.arena.threadCaches++;
      pool.shareAmongCaches();
      return cache;
    } finally {
      lock.unlock();
    }
  }

  /** Returns a new cache for threads without their own cache. */
  ThreadCache createShared(Arena arena) {
    OomRetry.lock(lock);
    try {
      return newCache(arena, null);
    } finally {
      lock.unlock();
    }
  }

  /** Returns a new cache, which continues spare counters if the arena has any. */
  private ThreadCache newCache(Arena arena, @Nullable Thread owner) {
    CacheCounters spare = spares[arena.index];
    CacheCounters counters = spare;
    if (counters == null) {
      counters = new CacheCounters(arena, arenas.length, pool.sizeClasses, newestCounters);
    }
    ThreadCache cache = new ThreadCache(pool, counters, owner);
    if (spare == null) {
      newestCounters = counters;
    } else {
      spares[arena.index] = spare.nextSpare;
    }
    return cache;
  }

  private Arena leastUsedArena() {
    Arena least = arenas[0];
    for (Arena arena : arenas) {
      if (arena.threadCaches < least.threadCaches) {
        least = arena;
      }
    }
    return least;
  }

  /** Returns the thread's cache, even one that is suspended or whose thread changed its id. */
  private @Nullable ThreadCache ownOf(Thread thread) {
    for (ThreadCache cache : live) {
      if (cache.owner == thread && !cache.isRetiring) {
        return cache;
      }
    }
    return null;
  }

  // ---- retirement of a cache

  /** Checks a few caches at each creation, which keeps pace with threads that start and end. */
  private void reapIfAnyDead() {
    int checks = Math.min(4, live.size());
    for (int i = 0; i < checks; i++) {
      nextToProbe = (nextToProbe + 1) % live.size();
      if (isOwnerDead(live.get(nextToProbe))) {
        reapLocked();
        return;
      }
    }
  }

  private static boolean isOwnerDead(ThreadCache cache) {
    Thread owner = cache.owner;
    return owner != null && !owner.isAlive();
  }

  /** Retires the caches of threads that have ended. */
  void reap() {
    OomRetry.lock(lock);
    try {
      reapLocked();
    } finally {
      lock.unlock();
    }
  }

  private void reapLocked() {
    for (int i = 0; i < live.size(); i++) {
      ThreadCache cache = live.get(i);
      if (!cache.isRetiring && isOwnerDead(cache)) {
        retire(cache);
      }
    }
    finishRetirements();
  }

  /** Starts to retire a cache whose thread is dead, sleeps outside the engine, or is the caller. */
  private void retire(ThreadCache cache) {
    table.remove(cache);
    cache.idleState.isSuspended = false;
    threadCaches--;
    retired++;
    cache.arena.threadCaches--;
    pool.shareAmongCaches();
    cache.isRetiring = true;
  }

  /**
   * Completes retirements: the retiring caches abandon their groups. If a cache fails for any
   * reason, this method continues with the next one, and the next call repeats the failed one. The
   * loop uses an index, because no step may allocate: each cache has to be retired.
   */
  private void finishRetirements() {
    Throwable failed = null;
    boolean isAnyRetired = false;
    for (int i = 0; i < live.size(); i++) {
      ThreadCache cache = live.get(i);
      if (cache.isRetiring && !cache.isRetired) {
        try {
          cache.abandonGroups();
          cache.isRetired = true;
          keepCounters(cache);
        } catch (RuntimeException | Error notAll) {
          failed = Failures.first(failed, notAll);
        }
      }
      isAnyRetired |= cache.isRetired;
    }
    if (isAnyRetired) {
      try {
        live.removeIf(isRetired); // removes all or none
      } catch (OutOfMemoryError heapIsFull) {
        // The next call removes the caches, and all code skips them until then.
      }
    }
    Failures.rethrow(failed);
  }

  /**
   * Keeps the counters of a cache that no thread uses for another cache. The caller holds the lock.
   */
  void keepCounters(ThreadCache cache) {
    cache.counters.nextSpare = spares[cache.arena.index];
    spares[cache.arena.index] = cache.counters;
  }

  /** Retires the calling thread's cache. Returns false if the thread has none. */
  boolean removeCurrent() {
    OomRetry.lock(lock);
    try {
      ThreadCache found = current();
      ThreadCache cache = found != null ? found : ownOf(Thread.currentThread());
      if (cache == null) {
        return false;
      }
      cache.setOwner(null); // another thread may have to finish the retirement
      retire(cache);
      finishRetirements();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces the shared caches among {@code caches} with new ones, and retires the old ones.
   *
   * @param waits whether to wait for caches that are in use; otherwise they are kept
   */
  void retireShared(SharedCaches shared, List<ThreadCache> caches, boolean waits) {
    OomRetry.lock(lock);
    try {
      live.ensureCapacity(live.size() + caches.size()); // so that adding does not fail
      shared.replace(caches, waits, live);
      finishRetirements();
    } finally {
      lock.unlock();
    }
  }

  // ---- caches of threads that sleep

  /**
   * Suspends caches: a thread that allocates later does not find its cache in the table, and a
   * thread that releases later is not the owner of a group. A thread that is in the middle of
   * either operation may continue, and may even become the owner of further groups.
   *
   * @param groups groups that include all groups of these caches
   */
  void suspend(List<ThreadCache> caches, List<SlotGroup> groups) {
    OomRetry.lock(lock);
    try {
      for (int i = 0; i < caches.size(); i++) {
        ThreadCache cache = caches.get(i);
        if (!cache.isRetiring) {
          cache.idleState.isSuspended = true;
          table.remove(cache);
        }
      }
      disownLocked(groups);
    } finally {
      lock.unlock();
    }
  }

  /** Removes the owner of each of {@code groups} that belongs to a suspended cache. */
  void disown(List<SlotGroup> groups) {
    OomRetry.lock(lock);
    try {
      disownLocked(groups);
    } finally {
      lock.unlock();
    }
  }

  private static void disownLocked(List<SlotGroup> groups) {
    for (int i = 0; i < groups.size(); i++) {
      SlotGroup group = groups.get(i);
      Bin bin = group.bin;
      if (bin != null && bin.cache.idleState.isSuspended) {
        group.disownIdle(bin.cache.owner);
      }
    }
  }

  /** Retires each of {@code caches} that is still suspended. */
  void revoke(List<ThreadCache> caches) {
    OomRetry.lock(lock);
    try {
      for (int i = 0; i < caches.size(); i++) {
        if (caches.get(i).idleState.isSuspended) {
          retire(caches.get(i));
          revoked++;
        }
      }
      finishRetirements();
    } finally {
      lock.unlock();
    }
  }

  private void resume(ThreadCache own) {
    own.idleState.isSuspended = false;
    own.setOwner(own.owner);
    table.add(own);
  }

  // ---- statistics

  /**
   * Adds up all counters: first the releases, then the allocations. It sees the allocation of each
   * release that it sees, even in counters that were created meanwhile, so the pinned bytes are
   * never negative.
   */
  void report(SnapshotBuilder snapshot) {
    for (CacheCounters each = newestCounters; each != null; each = each.older) {
      snapshot.addReleases(each);
    }
    for (CacheCounters each = newestCounters; each != null; each = each.older) {
      snapshot.addAllocations(each);
    }
    OomRetry.lock(lock);
    try {
      snapshot.set(PoolStat.THREAD_CACHES, threadCaches);
      snapshot.set(PoolStat.THREAD_CACHES_REVOKED, revoked);
      snapshot.set(PoolStat.THREAD_CACHES_GIVEN_UP, retired);
      for (Arena arena : arenas) {
        snapshot.set(ArenaStat.THREAD_CACHES, arena.index, arena.threadCaches);
      }
    } finally {
      lock.unlock();
    }
    maxHitsReported.accumulateAndGet(snapshot.hits(maxHitsReported.get()), Math::max);
  }

  /** Returns whether there is no cache, not even one that still has to abandon groups. */
  boolean isEmpty() {
    OomRetry.lock(lock);
    try {
      return live.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns about the number of threads that have a cache; takes no lock. */
  int count() {
    return threadCaches;
  }

  /** Returns the caches of threads that are not retiring. */
  List<ThreadCache> all() {
    OomRetry.lock(lock);
    try {
      List<ThreadCache> caches = new ArrayList<>(live.size());
      for (int i = 0; i < live.size(); i++) { // no lambda: there may be no memory to link one
        if (!live.get(i).isRetiring) {
          caches.add(live.get(i));
        }
      }
      return caches;
    } finally {
      lock.unlock();
    }
  }
}
