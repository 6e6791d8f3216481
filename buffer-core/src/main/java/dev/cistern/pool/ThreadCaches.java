/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.PoolFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
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

  private final List<ThreadCache> live = new ArrayList<>();
  private final RetiredCounters retired;

  private long revoked;
  private int nextToProbe;

  /** The most hits that a snapshot has shown; any thread. */
  private final AtomicLong hitsShown = new AtomicLong();

  ThreadCaches(BufferPool pool, Arena[] arenas) {
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
    ShortHeap.lock(lock);
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
    ShortHeap.lock(lock);
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
    @Nullable ThreadCache[] next = new ThreadCache[slots];
    for (ThreadCache cache : live) {
      if (!cache.watch.suspended) {
        insert(next, cache);
      }
    }
    table = next;
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
    ShortHeap.lock(lock);
    try {
      reapLocked();
    } finally {
      lock.unlock();
    }
  }

  private void reapLocked() {
    List<ThreadCache> dead = new ArrayList<>();
    for (ThreadCache cache : live) {
      if (isDead(cache)) {
        dead.add(cache);
      }
    }
    if (!dead.isEmpty()) {
      for (ThreadCache cache : dead) {
        cache.watch.dead = true;
      }
      live.removeIf(cache -> cache.watch.dead);
      for (int i = 0; i < dead.size(); i++) { // by index: from here on nothing may want memory
        giveUp(dead.get(i));
      }
      rebuild(table.length); // where this fails, dead threads' entries stay until the next time
    }
  }

  /** The thread is dead, asleep outside, or the caller: nobody else uses the cache. Locked. */
  private void giveUp(ThreadCache cache) {
    endSuspension(cache);
    hide(cache);
    cache.arena.threadCaches--;
    try {
      cache.leave();
    } finally {
      retired.add(cache); // its counters stay, whatever happens
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
    ShortHeap.lock(lock);
    try {
      List<ThreadCache> fresh = new ArrayList<>(caches);
      fresh.removeIf(cache -> cache.watch.suspended || !live.contains(cache));
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
    ShortHeap.lock(lock);
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
    ShortHeap.lock(lock);
    try {
      for (ThreadCache cache : caches) {
        if (cache.watch.suspended) {
          live.remove(cache);
          giveUp(cache);
          revoked++;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Also one that is suspended, or that a subclass which changes its id does not find. */
  private @Nullable ThreadCache ownOf(Thread thread) {
    for (ThreadCache cache : live) {
      if (cache.owner == thread) {
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
    ShortHeap.lock(lock);
    try {
      Thread thread = Thread.currentThread();
      ThreadCache found = current();
      ThreadCache cache = found != null ? found : ownOf(thread);
      if (cache == null) {
        return false;
      }
      live.remove(cache);
      try {
        rebuild(table.length); // before it is given up: the thread must not find it any more
      } catch (Throwable failed) {
        live.add(cache); // has room: one was just removed
        throw failed;
      }
      giveUp(cache);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives up those of {@code caches} that are shared; fresh ones stand in their place. */
  void giveUpShared(SharedCaches shared, List<ThreadCache> caches) {
    ShortHeap.lock(lock);
    try {
      List<ThreadCache> replaced = shared.replace(caches);
      for (int i = 0; i < replaced.size(); i++) { // by index: from here on nothing may want memory
        replaced.get(i).leave();
        retired.add(replaced.get(i));
      }
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
      snapshot.addAllocations(cache);
    }
    hitsShown.accumulateAndGet(snapshot.hits(hitsShown.get()), Math::max);
  }

  private void reportAllocationsOfRetired(SnapshotBuilder snapshot) {
    retired.reportAllocations(snapshot);
    snapshot.set(PoolFigure.THREAD_CACHES, live.size());
    snapshot.set(PoolFigure.THREAD_CACHES_REVOKED, revoked);
    for (Arena arena : arenas) {
      snapshot.set(ArenaFigure.THREAD_CACHES, arena.index, arena.threadCaches);
    }
  }

  /** The caches whose counters are not among the retired ones when {@code ofTheGone} runs. */
  private List<ThreadCache> counted(SharedCaches shared, Runnable ofTheGone) {
    ShortHeap.lock(lock);
    try {
      ofTheGone.run();
      List<ThreadCache> caches = new ArrayList<>(live);
      caches.addAll(shared.all());
      return caches;
    } finally {
      lock.unlock();
    }
  }

  /** The living caches now. */
  List<ThreadCache> all() {
    ShortHeap.lock(lock);
    try {
      return new ArrayList<>(live);
    } finally {
      lock.unlock();
    }
  }
}
