/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.WatchFailures;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Released slots that are not allocated again for a time, to expose use after release. For the pool
 * they are in use until they come out: the first in when there are too many bytes, all after a
 * time, and all when memory is short. Where the Java heap is full a slot does not rest; that is
 * counted among the {@linkplain WatchFailures failures}.
 */
final class Quarantine {
  private static final int MOST_SLOTS = 4_096;

  private record Resting(SlotGroup group, int index, long sinceNanos) {}

  private final long mostBytes;

  // All that follows is guarded by this object's lock.

  /** Made with the first slot that rests. It never grows, for that could fail halfway. */
  private @Nullable ArrayDeque<Resting> slots;

  private long bytes;

  /**
   * @param mostBytes what may rest at a time; 0: nothing rests
   */
  Quarantine(long mostBytes) {
    this.mostBytes = mostBytes;
    WatchFailures.count(); // loads the class: in a full heap that fails for good
  }

  void add(SlotGroup group, int index) {
    if (group.slotBytes() > mostBytes) {
      group.release(index);
      return;
    }
    Resting first;
    try {
      first = put(new Resting(group, index, System.nanoTime()));
    } catch (OutOfMemoryError fullHeap) {
      group.release(index);
      WatchFailures.add(fullHeap);
      return;
    }
    for (; first != null; first = firstTooMany()) {
      first.group.release(first.index);
    }
  }

  /** Has a slot rest; returns one that has to come out instead, if any. */
  private synchronized @Nullable Resting put(Resting resting) {
    if (slots == null) {
      slots = new ArrayDeque<>(MOST_SLOTS);
    }
    Resting first = slots.size() == MOST_SLOTS ? remove(slots) : null;
    slots.addLast(resting);
    bytes += resting.group.slotBytes();
    return first == null ? firstTooMany() : first;
  }

  private synchronized @Nullable Resting firstTooMany() {
    return slots != null && bytes > mostBytes ? remove(slots) : null;
  }

  private synchronized @Nullable Resting firstOlderThan(long nanos) {
    if (slots == null) {
      return null;
    }
    Resting first = slots.peekFirst();
    return first != null && System.nanoTime() - first.sinceNanos >= nanos ? remove(slots) : null;
  }

  private Resting remove(ArrayDeque<Resting> slots) {
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
  synchronized long bytes() {
    return bytes;
  }
}
