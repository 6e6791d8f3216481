/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cache of a thread by the thread's id: an open-addressing table that never grows.
 *
 * <p>Beside each cache it has the cache's row: by size class, the group that the thread allocates
 * from. The fast path reads the row at the first place only, and {@link SlotGroup#owner} proves
 * that the group is the thread's. All writes are under the lock of {@link ThreadCaches}; reads take
 * no lock. A thread never misses its own cache: entries do not move, and the thread itself added
 * it.
 */
final class ThreadTable {
  /** Ids are given out one after the other, so the threads of most hosts do not collide. */
  private static final int PLACES = 4096;

  /** Half of the places, so that the next free one is near. More threads share caches. */
  static final int MAX_CACHES = PLACES / 2;

  private final SlotGroup[][] currentGroups = new SlotGroup[PLACES][];
  final @Nullable ThreadCache[] caches = new ThreadCache[PLACES];

  /** How many caches are behind a place, because the place was taken when they were added. */
  private final char[] passes = new char[PLACES];

  private final SlotGroup[] noGroups;

  /**
   * @param noGroup the group of a row without a cache: no slot of it is free, and it has no owner
   */
  ThreadTable(SlotGroup noGroup, int sizeClasses) {
    this.noGroups = new SlotGroup[sizeClasses];
    Arrays.fill(noGroups, noGroup);
    Arrays.fill(currentGroups, noGroups);
  }

  /** Returns the rows by {@link #place}; never null. Other threads write here meanwhile. */
  SlotGroup[][] currentGroups() {
    return currentGroups;
  }

  static int place(Thread thread) {
    return (int) thread.getId() & (PLACES - 1);
  }

  private static int next(int place) {
    return (place + 1) & (PLACES - 1);
  }

  /** Returns the cache of the calling thread, or null. */
  @Nullable ThreadCache find(Thread thread) {
    int home = place(thread);
    int place = home;
    do {
      ThreadCache cache = caches[place];
      if (cache != null && cache.owner == thread) {
        return cache;
      }
      if (cache == null && passes[place] == 0) {
        return null;
      }
      place = next(place);
    } while (place != home);
    return null;
  }

  /** Adds the cache of the calling thread; there are fewer than {@link #MAX_CACHES}. */
  void add(ThreadCache cache) {
    int home = place(Thread.currentThread());
    int place = home;
    for (; caches[place] != null; place = next(place)) {
      passes[place]++;
    }
    cache.home = home;
    cache.place = place;
    VarHandle.releaseFence(); // another thread must not see a row that is not filled
    currentGroups[place] = cache.current;
    caches[place] = cache;
  }

  /** Removes a cache, if it is here. */
  void remove(ThreadCache cache) {
    if (caches[cache.place] != cache) {
      return;
    }
    caches[cache.place] = null;
    currentGroups[cache.place] = noGroups;
    for (int place = cache.home; place != cache.place; place = next(place)) {
      passes[place]--;
    }
  }
}
