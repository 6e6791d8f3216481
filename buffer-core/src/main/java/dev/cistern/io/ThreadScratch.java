/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.util.VirtualThreads;
import dev.cistern.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * Objects that the outbound buffers of one platform thread share: a gathering array, and entries to
 * use again. Virtual threads keep none, because there can be millions of them.
 */
final class ThreadScratch {
  /** Up to so many free entries are kept; those of a burst are garbage. */
  static final int MAX_FREE_ENTRIES = 4096;

  /** For all virtual threads. Never changes: its array is lent, and it has no room for entries. */
  private static final ThreadScratch KEEPS_NOTHING = new ThreadScratch(true, MAX_FREE_ENTRIES);

  private static final FastThreadLocal<ThreadScratch> CURRENT =
      new FastThreadLocal<>() {
        @Override
        protected ThreadScratch initialValue() {
          return new ThreadScratch(false, 0);
        }
      };

  private final GatheringArray array = new GatheringArray();
  private boolean isLent;
  private @Nullable OutboundEntry free;
  private int freeEntries;

  private ThreadScratch(boolean isLent, int freeEntries) {
    this.isLent = isLent;
    this.freeEntries = freeEntries;
  }

  static ThreadScratch current() {
    return VirtualThreads.isVirtual(Thread.currentThread()) ? KEEPS_NOTHING : CURRENT.get();
  }

  /** Returns the array, or a new one while a channel that is offered the array writes itself. */
  GatheringArray lend() {
    if (isLent) {
      return new GatheringArray();
    }
    isLent = true;
    return array;
  }

  void takeBack(GatheringArray lent) {
    lent.end();
    if (lent == array) {
      isLent = false;
    }
  }

  OutboundEntry entry() {
    OutboundEntry entry = free;
    if (entry == null) {
      return new OutboundEntry();
    }
    free = entry.next;
    entry.next = null;
    freeEntries--;
    return entry;
  }

  /** Keeps linked entries that hold nothing, as many as there is room for. */
  void recycle(OutboundEntry first, int entries) {
    int kept = Math.min(entries, MAX_FREE_ENTRIES - freeEntries);
    if (kept == 0) {
      return;
    }
    OutboundEntry last = first;
    for (int i = 1; i < kept && last.next != null; i++) {
      last = last.next;
    }
    last.next = free;
    free = first;
    freeEntries += kept;
  }

  int freeEntries() {
    return freeEntries;
  }
}
