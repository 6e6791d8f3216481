/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Slots that were released and rest before they are handed out again, so that who still uses one is
 * found out. For the pool they are in use until they come out: the first in when there are too many
 * bytes, all after a time, and all when memory is short.
 */
final class Quarantine {
  private static final int MOST_SLOTS = 4_096;

  private record Resting(SlotGroup group, int index, long sinceNanos) {}

  private final long mostBytes;
  private final Deque<Resting> slots = new ArrayDeque<>();
  private long bytes;

  /**
   * @param mostBytes what may rest at a time; 0: nothing rests
   */
  Quarantine(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void add(SlotGroup group, int index) {
    if (group.slotBytes() > mostBytes) {
      group.release(index);
      return;
    }
    synchronized (slots) {
      slots.addLast(new Resting(group, index, System.nanoTime()));
      bytes += group.slotBytes();
    }
    for (Resting first = firstTooMany(); first != null; first = firstTooMany()) {
      first.group.release(first.index);
    }
  }

  private @Nullable Resting firstTooMany() {
    synchronized (slots) {
      return bytes > mostBytes || slots.size() > MOST_SLOTS ? remove() : null;
    }
  }

  private @Nullable Resting firstOlderThan(long nanos) {
    synchronized (slots) {
      Resting first = slots.peekFirst();
      return first != null && System.nanoTime() - first.sinceNanos >= nanos ? remove() : null;
    }
  }

  private Resting remove() {
    Resting first = slots.removeFirst();
    bytes -= first.group.slotBytes();
    return first;
  }

  /** Releases what has rested for so long. */
  void release(long nanos) {
    for (Resting first = firstOlderThan(nanos); first != null; first = firstOlderThan(nanos)) {
      first.group.release(first.index);
    }
  }

  /** Bytes of slots that rest. */
  long bytes() {
    synchronized (slots) {
      return bytes;
    }
  }
}
