/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The caches by thread id, in an open-addressing table that never grows.
 *
 * <p>For each cache, the table also has its current groups by size class. The fast path reads only
 * the first place of a thread id, and {@link SlotGroup#owner} proves that the group belongs to the
 * thread. All writes are under the lock of {@link ThreadCaches}; reads take no lock. A thread
 * always finds its own cache, because entries do not move and the thread itself added the entry.
 */
final class ThreadTable {
  /**
   * The number of places. JVMs assign ids one after the other, so the threads of most host JVMs do
   * not collide.
   */
  private static final int PLACES = 4096;

  /**
   * The maximum number of caches: half of the places, so that the next free place is near. Further
   * threads share caches.
   */
  static final int MAX_CACHES = PLACES / 2;

  private final SlotGroup[][] currentGroups = new SlotGroup[PLACES][];
  final @Nullable ThreadCache[] caches = new ThreadCache[PLACES];

  /** The number of caches whose search passes each place, because the place was taken. */
  private final char[] passes = new char[PLACES];

  private final SlotGroup[] noGroups;

  /**
   * @param noGroup the group at each place without a cache; it has no free slot and no owner
   */
  ThreadTable(SlotGroup noGroup, int sizeClasses) {
    this.noGroups = new SlotGroup[sizeClasses];
    Arrays.fill(noGroups, noGroup);
    Arrays.fill(currentGroups, noGroups);
  }

  /**
   * Returns the current groups by {@link #place}; no element is null. Other threads write to the
   * array meanwhile.
   */
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

  /** Adds the cache of the calling thread. The table has fewer than {@link #MAX_CACHES}. */
  void add(ThreadCache cache) {
    int home = place(Thread.currentThread());
    int place = home;
    for (; caches[place] != null; place = next(place)) {
      passes[place]++;
    }
    cache.home = home;
    cache.place = place;
    VarHandle.releaseFence(); // another thread must not see an array that is not filled
    currentGroups[place] = cache.current;
    caches[place] = cache;
  }

  /** Removes a cache, if the table has it. */
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
