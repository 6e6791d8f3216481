/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A reclaimer of the caches of sleeping threads, which cannot free memory themselves. It runs on
 * the maintenance thread, or on a thread that is refused direct memory.
 *
 * <p>The steps are as follows. It is correct to stop after each of them
 * (docs/internals/decisions/0007-idle-caches-are-revoked.md):
 *
 * <ol>
 *   <li>Suspend the cache: the thread no longer finds it, and is no longer the owner of its groups.
 *   <li>Prove that the thread is outside the engine: its stack has no reference to the cache. The
 *       thread may have become the owner of another group before.
 *   <li>Remove the owner of such groups, too: from now on the thread cannot own further groups.
 *   <li>Prove again that the thread is outside: it is not releasing into one of those groups.
 *   <li>Retire the cache, as that of a dead thread.
 * </ol>
 *
 * <p>If the thread wakes up meanwhile and allocates, it takes its cache back ({@link
 * ThreadCaches#create}). Guarded by {@link Maintenance#lock}.
 */
final class IdleCacheReclaimer {
  /**
   * The maximum number of caches in a round. A round takes two safepoints, which last about 10 us
   * for each cache.
   */
  private static final int MAX_IN_A_ROUND = 64;

  /** Number of checks for idle caches in each idle time. A check costs two safepoints. */
  private static final int CHECKS_PER_IDLE_TIME = 5;

  /**
   * The longest pause until all sleeping threads may lose their caches again; twice that after an
   * attempt that freed nothing.
   */
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** An idle time that matches every thread. */
  private static final long NO_TIME = -1;

  private final ThreadCaches caches;
  private final SharedCaches shared;
  private final Arena[] arenas;

  private long lastCheckNanos = System.nanoTime();

  /** The time from which all sleeping threads may lose their caches again. */
  private long nextTakeNanos = lastCheckNanos;

  /** The same as {@link #nextTakeNanos}, if no thread has created a cache since the last time. */
  private long nextTakeWithoutNewCacheNanos = lastCheckNanos;

  private int cachesLeft;

  IdleCacheReclaimer(ThreadCaches caches, SharedCaches shared, Arena[] arenas) {
    this.caches = caches;
    this.shared = shared;
    this.arenas = arenas;
  }

  /** Reclaims the caches that were nearly idle for {@code idleNanos}, if a check is due. */
  void check(long idleNanos) {
    long nowNanos = System.nanoTime();
    if (nowNanos - lastCheckNanos >= idleNanos / CHECKS_PER_IDLE_TIME) {
      lastCheckNanos = nowNanos;
      revoke(idleCaches(idleNanos));
    }
  }

  /**
   * Reclaims the shared caches, and the caches of threads that sleep now, even if only for a short
   * time: up to {@link #MAX_IN_A_ROUND} of them, the largest first. That may stop the JVM for a
   * millisecond. So it does nothing if the last call was recent: all calls together take about a
   * tenth of the time.
   *
   * @return whether a chunk was freed
   */
  boolean tryFreeByTakingAll() {
    long startNanos = System.nanoTime();
    boolean hasNewCaches = caches.count() > cachesLeft;
    if (startNanos - (hasNewCaches ? nextTakeNanos : nextTakeWithoutNewCacheNanos) < 0) {
      return false;
    }
    caches.reap();
    caches.retireShared(shared, shared.all(), false);
    revoke(idleCaches(NO_TIME));
    revokeReleased();
    boolean isFreed = Arena.tryFreeChunk(arenas);
    cachesLeft = caches.count();
    long endNanos = System.nanoTime();
    nextTakeNanos = endNanos + Math.min(9 * (endNanos - startNanos), MAX_PAUSE_NANOS);
    nextTakeWithoutNewCacheNanos = isFreed ? nextTakeNanos : endNanos + 2 * MAX_PAUSE_NANOS;
    return isFreed;
  }

  /** Frees memory that other threads released and the owners have not received. */
  void revokeReleased() {
    Throwable failed = null;
    List<ThreadCache> all = caches.all();
    all.addAll(shared.all());
    for (ThreadCache cache : all) {
      try {
        cache.revokeReleased();
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  private void revoke(List<ThreadCache> idle) {
    if (idle.isEmpty()) {
      return;
    }
    List<SlotGroup> groups = groupsOf(idle);
    for (SlotGroup group : groups) {
      Bin bin = group.bin;
      if (bin != null) {
        bin.cache.idleState.freeBytes += (long) group.remoteCount() * group.slotBytes();
      }
    }
    idle.removeIf(cache -> !cache.idleState.isWorthTaking());
    caches.retireShared(shared, idle, false);
    idle.removeIf(cache -> cache.owner == null);
    keepLargest(idle);
    if (!idle.isEmpty()) {
      caches.suspend(idle, groups);
      keepThoseOutside(idle);
      caches.disown(groupsOf(idle));
      keepThoseOutside(idle);
      caches.revoke(idle);
    }
  }

  /** Removes the caches whose threads cannot be proved to be outside the engine. */
  private static void keepThoseOutside(List<ThreadCache> caches) {
    Thread[] owners = caches.stream().map(cache -> cache.owner).toArray(Thread[]::new);
    boolean[] outside = QuiescenceCheck.areOutsideEngine(owners);
    for (int i = owners.length - 1; i >= 0; i--) {
      if (!outside[i]) {
        caches.remove(i).idleState.failed();
      }
    }
  }

  private List<ThreadCache> idleCaches(long idleNanos) {
    List<ThreadCache> candidates = shared.all();
    if (QuiescenceCheck.PROVABLE) {
      candidates.addAll(caches.all());
    }
    Thread current = Thread.currentThread();
    long nowNanos = System.nanoTime();
    candidates.removeIf(
        cache -> {
          boolean isIdle = cache.idleState.isIdle(cache, nowNanos, idleNanos);
          return cache.owner == current
              || (idleNanos != NO_TIME && (!isIdle || cache.idleState.isPaused()));
        });
    return candidates;
  }

  private static List<SlotGroup> groupsOf(List<ThreadCache> caches) {
    return caches.stream()
        .map(cache -> cache.arena)
        .distinct()
        .flatMap(arena -> arena.groups().stream())
        .toList();
  }

  /**
   * Selects the largest caches. Those of busy threads are among them only if there are few other
   * caches.
   */
  private static void keepLargest(List<ThreadCache> caches) {
    caches.sort(
        Comparator.comparing((ThreadCache cache) -> cache.idleState.isBusy)
            .thenComparingLong(cache -> -cache.idleState.freeBytes));
    caches.subList(Math.min(MAX_IN_A_ROUND, caches.size()), caches.size()).clear();
  }
}
