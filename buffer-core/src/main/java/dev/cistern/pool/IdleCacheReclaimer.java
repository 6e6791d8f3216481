/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Takes the caches of threads that sleep, which cannot give anything back themselves: by the
 * maintenance thread, or by a thread that is refused direct memory.
 *
 * <p>The steps, between any two of which it is right to stop
 * (docs/decisions/0007-idle-caches-are-revoked.md):
 *
 * <ol>
 *   <li>suspend: the thread does not find the cache any more, nor itself as the owner of a group;
 *   <li>see the thread outside of the engine: it has no reference to the cache on its stack, but
 *       may have made itself the owner of another group before;
 *   <li>take it out of such groups, too: there can be no more of them;
 *   <li>see the thread outside once more: it is not just releasing into one of those;
 *   <li>give the cache up, as that of a thread that has died.
 * </ol>
 *
 * <p>A thread that wakes in between and allocates, takes its cache back ({@link
 * ThreadCaches#create}). All under {@link Upkeep#lock}.
 */
final class IdleCacheReclaimer {
  /** A round takes two safepoints, which last about 10 us for each of these caches. */
  private static final int MAX_IN_A_ROUND = 64;

  /** Looks for idle caches in each idle time. A look costs two safepoints. */
  private static final int LOOKS = 5;

  /** Between two times that all sleeping threads lose their caches; twice as long if in vain. */
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** An idle time that every thread has. */
  private static final long NO_TIME = -1;

  private final ThreadCaches caches;
  private final SharedCaches shared;
  private final Arena[] arenas;

  private long lastLookNanos = System.nanoTime();

  /** When all sleeping threads may lose their caches next. */
  private long nextTakeNanos = lastLookNanos;

  /** The same if no thread has got a cache since the last time. */
  private long nextVainTakeNanos = lastLookNanos;

  private int cachesLeft;

  IdleCacheReclaimer(ThreadCaches caches, SharedCaches shared, Arena[] arenas) {
    this.caches = caches;
    this.shared = shared;
    this.arenas = arenas;
  }

  /** Takes the caches unused for {@code idleNanos}, or nearly so, if such a look is due. */
  void look(long idleNanos) {
    long nowNanos = System.nanoTime();
    if (nowNanos - lastLookNanos >= idleNanos / LOOKS) {
      lastLookNanos = nowNanos;
      revoke(quiet(idleNanos));
    }
  }

  /**
   * Takes the shared caches and those of all threads that sleep now, however short a time. That may
   * stop the JVM for a millisecond, so it takes about a tenth of the time: it may do nothing.
   *
   * @return whether a chunk was freed
   */
  boolean tryFreeByTakingAll() {
    long startNanos = System.nanoTime();
    boolean hasNewCaches = caches.count() > cachesLeft;
    if (startNanos - (hasNewCaches ? nextTakeNanos : nextVainTakeNanos) < 0) {
      return false;
    }
    caches.reap();
    caches.giveUpShared(shared, shared.all(), false);
    revoke(quiet(NO_TIME));
    revokeReleased();
    boolean isFreed = Arena.tryFreeChunk(arenas);
    cachesLeft = caches.count();
    long endNanos = System.nanoTime();
    nextTakeNanos = endNanos + Math.min(9 * (endNanos - startNanos), MAX_PAUSE_NANOS);
    nextVainTakeNanos = isFreed ? nextTakeNanos : endNanos + 2 * MAX_PAUSE_NANOS;
    return isFreed;
  }

  /** Takes memory back that owners were sent and do not receive. */
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

  private void revoke(List<ThreadCache> quiet) {
    if (quiet.isEmpty()) {
      return;
    }
    List<SlotGroup> groups = groupsOf(quiet);
    groups.forEach(IdleCacheReclaimer::addRemoteBytes);
    quiet.removeIf(cache -> !cache.watch.isWorthTaking());
    caches.giveUpShared(shared, quiet, false);
    quiet.removeIf(cache -> cache.owner == null);
    List<ThreadCache> sleeping = largest(quiet);
    if (!sleeping.isEmpty()) {
      caches.suspend(sleeping, groups);
      seeOutside(sleeping);
      caches.disown(groupsOf(sleeping));
      seeOutside(sleeping);
      caches.revoke(sleeping);
    }
  }

  /** Removes the caches whose threads cannot be shown to be outside. */
  private static void seeOutside(List<ThreadCache> caches) {
    caches.removeIf(cache -> cache.owner == null);
    Thread[] owners = new Thread[caches.size()];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = caches.get(i).owner;
    }
    boolean[] outside = QuiescenceCheck.areOutside(owners);
    for (int i = owners.length - 1; i >= 0; i--) {
      if (!outside[i]) {
        caches.remove(i).watch.failed();
      }
    }
  }

  private List<ThreadCache> quiet(long idleNanos) {
    List<ThreadCache> quiet = new ArrayList<>();
    long nowNanos = System.nanoTime();
    for (ThreadCache cache : shared.all()) {
      if (cache.watch.isQuiet(cache, nowNanos, idleNanos) || idleNanos == NO_TIME) {
        quiet.add(cache);
      }
    }
    if (QuiescenceCheck.PROVABLE) {
      Thread current = Thread.currentThread();
      for (ThreadCache cache : caches.all()) {
        boolean isQuiet = cache.watch.isQuiet(cache, nowNanos, idleNanos);
        if (cache.owner != current
            && (idleNanos == NO_TIME || (isQuiet && !cache.watch.pauses()))) {
          quiet.add(cache);
        }
      }
    }
    return quiet;
  }

  private List<SlotGroup> groupsOf(Collection<ThreadCache> those) {
    List<SlotGroup> groups = new ArrayList<>();
    for (Arena arena : arenas) {
      if (those.stream().anyMatch(cache -> cache.arena == arena)) {
        groups.addAll(arena.groups());
      }
    }
    return groups;
  }

  private static void addRemoteBytes(SlotGroup group) {
    Bin bin = group.bin;
    if (bin != null && group.isSubpage()) {
      bin.cache.watch.addRemote((long) group.remoteCount() * group.slotBytes());
    }
  }

  private static List<ThreadCache> largest(List<ThreadCache> caches) {
    caches.sort(
        Comparator.comparingLong((ThreadCache cache) -> cache.watch.freeBytes()).reversed());
    return new ArrayList<>(caches.subList(0, Math.min(MAX_IN_A_ROUND, caches.size())));
  }
}
