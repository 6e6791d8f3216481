/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Where the fast path looks first: for each thread a row, for each size class in it the group that
 * the thread allocates from ({@link ThreadCache#current}).
 *
 * <p>A hint and no more: two threads may want the same place, the later has it, and the other goes
 * the longer way over {@link ThreadCaches}. Whether a group is the thread's own is told by {@link
 * SlotGroup#owner} alone. So the array never grows and is never replaced, and finding a row takes
 * the fewest loads that depend on each other.
 */
final class Rows {
  /** Thread ids are given out one after the other: the threads of most hosts do not collide. */
  private static final int PLACES = 1024;

  private final SlotGroup[][] byThread = new SlotGroup[PLACES][];
  private final SlotGroup[] none;

  /**
   * @param noGroup stands where there is no group: nothing is free there, and nobody owns it
   */
  Rows(SlotGroup noGroup, int sizeClasses) {
    this.none = new SlotGroup[sizeClasses];
    Arrays.fill(none, noGroup);
    Arrays.fill(byThread, none);
  }

  /** The rows by {@link #place}; never null. Others write here while it is read. */
  SlotGroup[][] byThread() {
    return byThread;
  }

  static int place(Thread thread) {
    return (int) thread.getId() & (PLACES - 1);
  }

  /** Whether the place of a thread shows nobody's groups. */
  boolean isFree(Thread thread) {
    return byThread[place(thread)] == none;
  }

  /** Shows a thread of this place its groups. Under the lock of {@link ThreadCaches}. */
  void show(int place, SlotGroup[] row) {
    VarHandle.releaseFence(); // another thread of this place must not see a row that is not filled
    byThread[place] = row;
  }

  /**
   * Takes a row away, where it is the one that is shown. Under the lock of {@link ThreadCaches}.
   */
  void hide(int place, SlotGroup[] row) {
    if (byThread[place] == row) {
      byThread[place] = none;
    }
  }
}
