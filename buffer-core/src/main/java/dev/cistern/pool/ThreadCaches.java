/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.PoolFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The thread caches of a pool, and the counters of all caches that there ever were.
 *
 * <p>A table of the pool's own finds them, and not a thread-local: it is faster, and no thread ever
 * refers to the pool's classes, so that a class loader which holds a pool can go while its threads
 * live on.
 */
final class ThreadCaches {
  private final BufferPool pool;
  private final Arena[] arenas;
  final ThreadTable table;

  /** Guards the writes to everything below, and to the table. */
  final ReentrantLock lock = new ReentrantLock();

  /** The caches of threads, and caches of any kind that are ended and have groups to leave. */
  final ArrayList<ThreadCache> live = new ArrayList<>();

  /** How many of {@link #live} belong to threads; read without the lock as a hint. */
  private int threadCaches;

  /** The counters that were made last; each has the ones made before. */
  private volatile @Nullable CacheCounters newestCounters;

  /** By arena: counters that no cache uses. */
  private final @Nullable CacheCounters[] spares;

  private long revoked;
  private long retired;
  private int nextToProbe;

  /** The most hits that a snapshot has shown; any thread. */
  private final AtomicLong maxHitsReported = new AtomicLong();

  /** Made in advance: when it is used, there may be no memory to link a lambda. */
  private final Predicate<ThreadCache> isRetired;

  ThreadCaches(BufferPool pool, Arena[] arenas) {
    this.isRetired = cache -> cache.isRetired;
    this.pool = pool;
    this.arenas = arenas;
    this.spares = new CacheCounters[arenas.length];
    this.table = new ThreadTable(pool.noGroup, pool.sizeClasses().count());
  }

  /** Returns the calling thread's cache, or null if it has none (yet). */
  @Nullable ThreadCache current() {
    return table.find(Thread.currentThread());
  }

  // ---- a new cache

  /**
   * Makes the calling thread's cache, on the arena that has the fewest; or returns the one that the
   * thread has, if that is suspended. Returns null if there are too many caches: then the thread
   * shares one.
   */
  @Nullable ThreadCache create() {
    if (threadCaches >= ThreadTable.MAX_CACHES) {
      return null; // a thread may see that late, so the lock decides
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
      live.ensureCapacity(live.size() + 1); // may fail: nothing has changed yet
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

  /** Makes a cache for threads that have none of their own. */
  ThreadCache createShared(Arena arena) {
    OomRetry.lock(lock);
    try {
      return newCache(arena, null);
    } finally {
      lock.unlock();
    }
  }

  /** Makes a cache that continues spare counters, if there are any. */
  private ThreadCache newCache(Arena arena, @Nullable Thread owner) {
    CacheCounters spare = spares[arena.index];
    CacheCounters counters = spare;
    if (counters == null) {
      int sizeClasses = pool.sizeClasses().count();
      counters = new CacheCounters(arena, arenas.length, sizeClasses, newestCounters);
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

  /** Returns also a cache that is suspended, or whose thread changes its id. */
  private @Nullable ThreadCache ownOf(Thread thread) {
    for (ThreadCache cache : live) {
      if (cache.owner == thread && !cache.isRetiring) {
        return cache;
      }
    }
    return null;
  }

  // ---- the end of a cache

  /** A few looks at each creation keep pace with threads that come and go. */
  private void reapIfAnyDead() {
    int looks = Math.min(4, live.size());
    for (int i = 0; i < looks; i++) {
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

  /** Ends the caches of threads that have ended. */
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

  /** Ends a cache that no other thread uses: its thread is dead, asleep outside, or the caller. */
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
   * Has the caches that are ended leave their groups. If one fails, whatever the reason, it goes on
   * the next time; the others leave. By index: nothing here may allocate, because each cache has to
   * end.
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
        live.removeIf(isRetired); // as a whole, or not at all
      } catch (OutOfMemoryError heapIsFull) {
        // The next time, then; until then they are passed over.
      }
    }
    Failures.rethrow(failed);
  }

  /** Lets another cache continue the counters of a cache that no thread uses; under the lock. */
  void keepCounters(ThreadCache cache) {
    cache.counters.nextSpare = spares[cache.arena.index];
    spares[cache.arena.index] = cache.counters;
  }

  /** Ends the calling thread's cache; false if it has none. */
  boolean removeCurrent() {
    OomRetry.lock(lock);
    try {
      ThreadCache found = current();
      ThreadCache cache = found != null ? found : ownOf(Thread.currentThread());
      if (cache == null) {
        return false;
      }
      cache.setOwner(null); // another thread may have to end this
      retire(cache);
      finishRetirements();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces those of {@code caches} that are shared with fresh ones, and ends the old ones.
   *
   * @param waits whether to wait for caches that are in use; otherwise they stay
   */
  void retireShared(SharedCaches shared, List<ThreadCache> caches, boolean waits) {
    OomRetry.lock(lock);
    try {
      live.ensureCapacity(live.size() + shared.count()); // so that adding them does not fail
      shared.replace(caches, waits, live);
      finishRetirements();
    } finally {
      lock.unlock();
    }
  }

  // ---- caches of threads that sleep

  /**
   * Hides caches from their threads: a thread that allocates next does not find its cache in the
   * table, and one that releases does not find itself the owner of a group. A thread that is in the
   * middle of either may go on, and may even make itself the owner of further groups.
   *
   * @param groups all groups of these caches, among others
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

  /** Removes the owner of those of {@code groups} that belong to suspended caches. */
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

  /** Ends those of {@code caches} that are suspended still. */
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

  // ---- figures

  /**
   * Adds up all counters: first the releases, then the allocations. The allocation of each release
   * seen is seen as well, even in counters that were made meanwhile, so pinned is never negative.
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
      snapshot.set(PoolFigure.THREAD_CACHES, threadCaches);
      snapshot.set(PoolFigure.THREAD_CACHES_REVOKED, revoked);
      snapshot.set(PoolFigure.THREAD_CACHES_GIVEN_UP, retired);
      for (Arena arena : arenas) {
        snapshot.set(ArenaFigure.THREAD_CACHES, arena.index, arena.threadCaches);
      }
    } finally {
      lock.unlock();
    }
    maxHitsReported.accumulateAndGet(snapshot.hits(maxHitsReported.get()), Math::max);
  }

  /** Returns whether there is no cache, not even one that has groups to leave. */
  boolean isEmpty() {
    OomRetry.lock(lock);
    try {
      return live.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many threads have a cache, as far as a look without a lock can tell. */
  int count() {
    return threadCaches;
  }

  /** Returns the caches of threads now. */
  List<ThreadCache> all() {
    OomRetry.lock(lock);
    try {
      List<ThreadCache> caches = new ArrayList<>(live.size());
      for (int i = 0; i < live.size(); i++) { // no lambda: there may be no memory to link it
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
