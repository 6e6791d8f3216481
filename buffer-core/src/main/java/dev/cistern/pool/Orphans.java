/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The subpages of one class in one arena that belong to no thread cache. Each class has its own
 * lock, so that two small sizes never wait for each other.
 */
final class Orphans {
  /** Guards the set, and the change of its groups to and from orphans. */
  final ReentrantLock lock = new ReentrantLock();

  private final GroupSet groups = new GroupSet();

  /**
   * Takes in a subpage that its owner leaves, out of the owner's set; gives it back if all of it is
   * free. In a full Java heap no thread can adopt it, but its last release gives it back.
   */
  void add(SlotGroup subpage) {
    boolean isOrphan;
    OomRetry.lock(lock);
    try {
      subpage.disown();
      isOrphan = subpage.becomeOrphan();
      if (subpage.set != null) {
        subpage.set.remove(subpage);
      }
      if (isOrphan && groups.tryReserve(groups.size() + 1)) {
        groups.add(subpage);
      }
    } finally {
      lock.unlock();
    }
    if (!isOrphan) {
      subpage.freeRun(false);
    }
  }

  /** Hands a subpage with a free slot to a new owner, or returns null. */
  @Nullable SlotGroup adopt(Bin owner) {
    if (size() == 0) {
      return null;
    }
    OomRetry.lock(lock);
    try {
      for (int i = groups.size() - 1; i >= 0; i--) {
        SlotGroup group = groups.get(i);
        if (group.hasFreeOrphanSlot()) {
          group.becomeOwned(owner); // may fail: still in the set then
          groups.remove(group);
          return group;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the run of an orphan back whose last slot is released, unless it was adopted. */
  void retire(SlotGroup group) {
    OomRetry.lock(lock);
    try {
      if (!group.isFreeOrphan()) {
        return;
      }
      if (group.set != null) {
        groups.remove(group);
      }
      group.markFreed();
    } finally {
      lock.unlock();
    }
    group.freeRun(false);
  }

  /** Returns the number of orphans; without the lock it may be wrong for a moment. */
  int size() {
    return groups.size();
  }
}
