/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The subpages of one class in one arena that belong to no thread cache. Each class has its own
 * lock, so that two small sizes never wait for each other (seed row A5).
 */
final class Orphans {
  /** Guards the list, and what the groups in it say about orphans. */
  final ReentrantLock lock = new ReentrantLock();

  private final GroupList groups = new GroupList();

  /** Takes in what an owner leaves behind; a subpage that is free as a whole is given back. */
  void add(SlotGroup subpage) {
    boolean orphaned;
    OomRetry.lock(lock);
    try {
      orphaned = subpage.becomeOrphan();
      if (orphaned) {
        groups.add(subpage);
      }
    } finally {
      lock.unlock();
    }
    if (!orphaned) {
      subpage.giveRunBack();
    }
  }

  /** Hands a subpage with a free slot to a new owner, or returns null. */
  @Nullable SlotGroup adopt(Bin owner) {
    if (groups.isEmptyRacy()) {
      return null;
    }
    OomRetry.lock(lock);
    try {
      for (SlotGroup group = groups.first(); group != null; group = group.nextInList) {
        if (group.hasFreeOrphanSlot()) {
          group.becomeOwned(owner); // may fail: still listed then
          groups.remove(group);
          return group;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called by who released the last slot of an orphan: gives its run back unless it was adopted.
   */
  void retire(SlotGroup group) {
    OomRetry.lock(lock);
    try {
      if (!group.isFreeOrphan()) {
        return;
      }
      groups.remove(group);
      group.die();
    } finally {
      lock.unlock();
    }
    group.giveRunBack();
  }

  int size() {
    if (groups.isEmptyRacy()) {
      return 0; // nearly always: a snapshot asks each class of each arena
    }
    OomRetry.lock(lock);
    try {
      return groups.size();
    } finally {
      lock.unlock();
    }
  }
}
