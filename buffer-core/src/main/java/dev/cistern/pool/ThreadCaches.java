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
 * The thread caches of a pool, found by thread in an open-addressing table.
 *
 * <p>A table of the pool's own, and not a thread-local: it is faster, and no thread ever refers to
 * the pool's classes, so that a class loader which holds a pool can go while its threads live on.
 */
final class ThreadCaches {
  private static final int INITIAL_SLOTS = 64;

  private final BufferPool pool;
  private final Arena[] arenas;

  /** Guards the writes to everything below. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * At most a quarter full. Replaced as a whole when it grows or when a cache goes; read without a
   * lock. An entry is stored by the thread that it belongs to, so that thread never misses it.
   */
  private volatile @Nullable ThreadCache[] table = new ThreadCache[INITIAL_SLOTS];

  /**
   * The caches whose counters are not among the retired ones: those of threads, and all that are
   * given up and have not left all their groups yet, shared ones among them.
   */
  private final ArrayList<ThreadCache> live = new ArrayList<>();

  private final RetiredCounters retired;

  /** The table has caches that are given up; their threads are dead and do not look for them. */
  private boolean tableIsStale;

  /** The list has caches whose counters are among the retired ones. */
  private boolean hasGone;

  private long revoked;
  private int nextToProbe;

  /** The most hits that a snapshot has shown; any thread. */
  private final AtomicLong hitsShown = new AtomicLong();

  /** Called before each step that makes or gives up a cache: tests have them fail one by one. */
  Runnable beforeStep = () -> {};

  /** Made in advance: where it is used, there may be no memory to link a lambda. */
  private final Predicate<ThreadCache> isGone;

  ThreadCaches(BufferPool pool, Arena[] arenas) {
    this.isGone = cache -> cache.counted;
    this.pool = pool;
    this.arenas = arenas;
    this.retired = new RetiredCounters(pool.shape());
  }

  /** The calling thread's cache, or null where it has none (yet). */
  @Nullable ThreadCache current() {
    Thread thread = Thread.currentThread();
    @Nullable ThreadCache[] table = this.table;
    int slot = Threads.hash(thread) & (table.length - 1);
    ThreadCache cache = table[slot];
    if (cache != null && cache.owner == thread) {
      return cache;
    }
    return cache == null ? null : probe(table, slot, thread);
  }

  private static @Nullable ThreadCache probe(
      @Nullable ThreadCache[] table, int home, Thread thread) {
    int mask = table.length - 1;
    for (int slot = (home + 1) & mask; slot != home; slot = (slot + 1) & mask) {
      ThreadCache cache = table[slot];
      if (cache == null || cache.owner == thread) {
        return cache;
      }
    }
    return null;
  }

  /**
   * Makes the calling thread's cache, on the arena that backs the fewest (seed row A2); or returns
   * the one it has, where that is suspended.
   */
  ThreadCache create() {
    StackRoom.require();
    OomRetry.lock(lock);
    try {
      ThreadCache own = ownOf(Thread.currentThread());
      if (own != null) {
        if (own.watch.suspended) {
          resume(own);
        }
        return own;
      }
      reapIfAnyDead();
      Arena arena = leastUsedArena();
      ThreadCache cache = new ThreadCache(pool, arena, Thread.currentThread());
      beforeStep.run();
      live.add(cache);
      if (live.size() * 4 > table.length) {
        try {
          rebuild(table.length * 2);
        } catch (Throwable failed) {
          live.remove(cache);
          throw failed;
        }
      } else {
        insert(table, cache);
      }
      arena.threadCaches++;
      pool.shareAmongCaches();
      show(cache);
      return cache;
    } finally {
      lock.unlock();
    }
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

  private static void insert(@Nullable ThreadCache[] table, ThreadCache cache) {
    int mask = table.length - 1;
    int slot = cache.hash & mask;
    while (table[slot] != null) {
      slot = (slot + 1) & mask;
    }
    table[slot] = cache;
  }

  private void show(ThreadCache cache) {
    if (cache.owner != null) {
      pool.rows.show(cache.place, cache.current);
    }
  }

  /** Shows the calling thread's groups after another thread of the same place has gone. */
  void showAgain(ThreadCache own) {
    StackRoom.require();
    OomRetry.lock(lock);
    try {
      if (current() == own) { // it may have been suspended meanwhile
        show(own);
      }
    } finally {
      lock.unlock();
    }
  }

  private void hide(ThreadCache cache) {
    if (cache.owner != null) {
      pool.rows.hide(cache.place, cache.current);
    }
  }

  private void rebuild(int slots) {
    beforeStep.run();
    @Nullable ThreadCache[] next = new ThreadCache[slots];
    for (ThreadCache cache : live) {
      if (!cache.watch.suspended && !cache.leaving) {
        insert(next, cache);
      }
    }
    table = next;
    tableIsStale = false;
  }

  /** A few looks at each creation keep pace with threads that come and go. */
  private void reapIfAnyDead() {
    int looks = Math.min(4, live.size());
    for (int i = 0; i < looks; i++) {
      nextToProbe = (nextToProbe + 1) % live.size();
      if (isDead(live.get(nextToProbe))) {
        reapLocked();
        return;
      }
    }
  }

  private static boolean isDead(ThreadCache cache) {
    Thread owner = cache.owner;
    return owner != null && !owner.isAlive();
  }

  /** Gives up the caches of threads that have ended (seed row A10). */
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
      if (!cache.leaving && isDead(cache)) {
        tableIsStale = true;
        giveUp(cache);
      }
    }
    leaveAll();
    if (tableIsStale) {
      rebuild(table.length);
    }
  }

  /** The thread is dead, asleep outside, or the caller: nobody else uses the cache. Locked. */
  private void giveUp(ThreadCache cache) {
    hide(cache);
    endSuspension(cache);
    cache.arena.threadCaches--;
    pool.shareAmongCaches();
    cache.leaving = true;
  }

  /**
   * Has the caches that are given up leave their groups, and takes in their counters. Where one
   * fails, whatever the reason, it is counted as before and goes on at the next time; the others
   * leave. By index: nothing here may want memory, since each cache has to end.
   */
  private void leaveAll() {
    Throwable failed = null;
    for (int i = 0; i < live.size(); i++) {
      ThreadCache cache = live.get(i);
      if (cache.leaving && !cache.counted) {
        try {
          cache.leave();
          beforeStep.run();
          retired.add(cache);
        } catch (RuntimeException | Error notAll) {
          failed = Failures.first(failed, notAll);
        }
        hasGone |= cache.counted;
      }
    }
    forgetGone();
    Failures.rethrow(failed);
  }

  private void forgetGone() {
    if (hasGone) {
      try {
        live.removeIf(isGone); // as a whole, or not at all
        hasGone = false;
      } catch (OutOfMemoryError heapIsFull) {
        // The next time, then; until then they are passed over.
      }
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
      List<ThreadCache> fresh = new ArrayList<>(caches);
      fresh.removeIf(cache -> cache.watch.suspended || cache.leaving);
      fresh.forEach(cache -> cache.watch.suspended = true);
      try {
        rebuild(table.length);
      } catch (Throwable failed) {
        for (int i = 0; i < fresh.size(); i++) {
          endSuspension(fresh.get(i)); // the table has them still
        }
        throw failed;
      }
      for (int i = 0; i < fresh.size(); i++) {
        hide(fresh.get(i));
      }
      disownLocked(groups);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the owner out of those of {@code groups} that belong to suspended caches. */
  void disown(List<SlotGroup> groups) {
    OomRetry.lock(lock);
    try {
      disownLocked(groups);
    } finally {
      lock.unlock();
    }
  }

  private static void disownLocked(List<SlotGroup> groups) {
    for (SlotGroup group : groups) {
      Bin bin = group.bin;
      if (bin != null && bin.cache.watch.suspended) {
        group.disownIdle();
      }
    }
  }

  /** Gives up those of {@code caches} that are suspended still. */
  void revoke(List<ThreadCache> caches) {
    OomRetry.lock(lock);
    try {
      for (int i = 0; i < caches.size(); i++) {
        ThreadCache cache = caches.get(i);
        if (cache.watch.suspended) {
          giveUp(cache);
          revoked++;
        }
      }
      leaveAll();
    } finally {
      lock.unlock();
    }
  }

  /** Also one that is suspended, or that a subclass which changes its id does not find. */
  private @Nullable ThreadCache ownOf(Thread thread) {
    for (ThreadCache cache : live) {
      if (cache.owner == thread && !cache.leaving) {
        return cache;
      }
    }
    return null;
  }

  private void resume(ThreadCache own) {
    endSuspension(own);
    own.resume();
    insert(table, own);
    show(own);
  }

  private void endSuspension(ThreadCache cache) {
    cache.watch.suspended = false;
  }

  // ---- the end of a cache

  /** Gives up the calling thread's cache; false where it has none. */
  boolean removeCurrent() {
    OomRetry.lock(lock);
    try {
      Thread thread = Thread.currentThread();
      ThreadCache found = current();
      ThreadCache cache = found != null ? found : ownOf(thread);
      if (cache == null) {
        return false;
      }
      boolean suspended = cache.watch.suspended;
      cache.watch.suspended = true;
      try {
        cache.disown(); // another thread may have to end this
        rebuild(table.length); // before it is given up: the thread must not find it any more
      } catch (Throwable failed) {
        if (suspended) {
          resume(cache); // or the janitor would take what its thread uses again
        } else {
          cache.resume();
          endSuspension(cache); // the table has it still
        }
        throw failed;
      }
      giveUp(cache);
      leaveAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces those of {@code caches} that are shared with fresh ones, and gives up the old ones.
   *
   * @param waits whether to wait for caches that are in use; otherwise they stay
   */
  void giveUpShared(SharedCaches shared, List<ThreadCache> caches, boolean waits) {
    OomRetry.lock(lock);
    try {
      beforeStep.run();
      live.ensureCapacity(live.size() + shared.count()); // so that adding them does not fail
      shared.replace(caches, waits, live, beforeStep);
      leaveAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds up all counters. The lock is held only to see which caches there are, and what those left
   * behind that are gone: at that moment each is in one of the two. Then the caches are read one by
   * one, while others are made and go; the counters of one that goes stay readable.
   *
   * <p>Releases are read first, and the allocations of all caches that there are after that: the
   * allocation of each release seen is seen as well, even in a cache that was made meanwhile, so
   * that pinned is never negative.
   */
  void report(SnapshotBuilder snapshot, SharedCaches shared) {
    for (ThreadCache cache : counted(shared, () -> retired.reportReleases(snapshot))) {
      snapshot.addReleases(cache);
    }
    for (ThreadCache cache : counted(shared, () -> reportAllocationsOfRetired(snapshot))) {
      if (cache.leaving) {
        snapshot.addAllocationsOfRetired(cache);
      } else {
        snapshot.addAllocations(cache);
      }
    }
    hitsShown.accumulateAndGet(snapshot.hits(hitsShown.get()), Math::max);
  }

  private void reportAllocationsOfRetired(SnapshotBuilder snapshot) {
    retired.reportAllocations(snapshot);
    snapshot.set(PoolFigure.THREAD_CACHES, countOfThreads());
    snapshot.set(PoolFigure.THREAD_CACHES_REVOKED, revoked);
    for (Arena arena : arenas) {
      snapshot.set(ArenaFigure.THREAD_CACHES, arena.index, arena.threadCaches);
    }
  }

  private int countOfThreads() {
    int count = 0;
    for (ThreadCache cache : live) {
      count += cache.leaving ? 0 : 1;
    }
    return count;
  }

  /** The caches whose counters are not among the retired ones when {@code ofTheGone} runs. */
  private List<ThreadCache> counted(SharedCaches shared, Runnable ofTheGone) {
    OomRetry.lock(lock);
    try {
      ofTheGone.run();
      List<ThreadCache> caches = new ArrayList<>(live);
      caches.removeIf(cache -> cache.counted);
      caches.addAll(shared.all());
      return caches;
    } finally {
      lock.unlock();
    }
  }

  /** Runs a check while no cache is made, given up or left. */
  void whileNoneComesOrGoes(Runnable check) {
    OomRetry.lock(lock);
    try {
      check.run();
    } finally {
      lock.unlock();
    }
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

  /** The living caches now. */
  List<ThreadCache> all() {
    OomRetry.lock(lock);
    try {
      List<ThreadCache> caches = new ArrayList<>(live);
      caches.removeIf(cache -> cache.leaving);
      return caches;
    } finally {
      lock.unlock();
    }
  }
}
