/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/** What the outbound buffers of one thread share: one gathering array, and entries to use again. */
final class ThreadScratch {
  /** So many free entries are kept at most; those of a burst are garbage. */
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
    if (lent == array) {
      isLent = false;
    }
    lent.end();
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

  /** Keeps entries that are linked, and hold nothing any more, as many as there is room for. */
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
