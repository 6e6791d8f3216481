/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The subpages of one class in one arena that belong to no thread cache. Each class has its own
 * lock, so that threads of different classes never wait for each other.
 */
final class Orphans {
  /** The lock that guards the set, and the change of a group to or from an orphan. */
  final ReentrantLock lock = new ReentrantLock();

  private final GroupSet groups = new GroupSet();

  /**
   * Adds a subpage that its owner abandons, and removes it from the owner's set. Frees the subpage
   * if all its slots are free. If the Java heap is full, the subpage cannot be adopted, but its
   * last release frees it.
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

  /** Gives a subpage with a free slot to a new owner, and returns it; null if there is none. */
  @Nullable SlotGroup adopt(Bin owner) {
    if (size() == 0) {
      return null;
    }
    OomRetry.lock(lock);
    try {
      for (int i = groups.size() - 1; i >= 0; i--) {
        SlotGroup group = groups.get(i);
        if (group.hasFreeOrphanSlot()) {
          group.becomeOwned(owner); // if this fails, the group is still in the set
          groups.remove(group);
          return group;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Frees an orphan whose last slot is released, unless it was adopted. */
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

  /** Returns the number of orphans; may be wrong for a moment without the lock. */
  int size() {
    return groups.size();
  }
}
