/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/** What the outbound buffers of one thread share: one gathering array, and entries to use again. */
final class ThreadScratch {
  /** So many free entries are kept; more of a burst are garbage. */
  static final int MAX_FREE_ENTRIES = 4096;

  private static final FastThreadLocal<ThreadScratch> CURRENT =
      new FastThreadLocal<>() {
        @Override
        protected ThreadScratch initialValue() {
          return new ThreadScratch();
        }
      };

  private final GatheringArray array = new GatheringArray();
  private boolean isLent;
  private @Nullable OutboundEntry free;
  private int freeEntries;

  static ThreadScratch current() {
    return CURRENT.get();
  }

  /** The array, or another one where a channel writes to a channel while it is offered this one. */
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

  void recycle(OutboundEntry entry) {
    entry.clear();
    if (freeEntries < MAX_FREE_ENTRIES) {
      entry.next = free;
      free = entry;
      freeEntries++;
    }
  }

  int freeEntries() {
    return freeEntries;
  }
}
