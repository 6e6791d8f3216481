/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.WatchFailures;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Slots that wait between their release and their next use, to expose use after release. For the
 * pool they are in use until they come out: the oldest ones if there are too many bytes, all after
 * a time, and all if memory is short. If the Java heap is full, a slot is released at once, which
 * is counted among the {@linkplain WatchFailures failures}.
 */
final class Quarantine {
  private static final int MAX_SLOTS = 4_096;

  private record Entry(SlotGroup group, int index, long sinceNanos) {}

  private final long maxBytes;

  // All that follows is guarded by this object's monitor.

  /** Made for the first slot. It never grows, because that could fail halfway. */
  private @Nullable ArrayDeque<Entry> entries;

  private long bytes;

  /**
   * @param maxBytes the most bytes at a time; 0 for no quarantine
   */
  Quarantine(long maxBytes) {
    this.maxBytes = maxBytes;
    WatchFailures.count(); // loads the class: in a full heap that fails for good
  }

  void add(SlotGroup group, int index) {
    if (group.slotBytes() > maxBytes) {
      group.release(index);
      return;
    }
    Entry first;
    try {
      first = put(new Entry(group, index, System.nanoTime()));
    } catch (OutOfMemoryError fullHeap) {
      group.release(index);
      WatchFailures.add(fullHeap);
      return;
    }
    for (; first != null; first = takeFirst(maxBytes, Long.MAX_VALUE)) {
      first.group.release(first.index);
    }
  }

  /** Adds a slot; returns one that has to come out instead, if any. */
  private synchronized @Nullable Entry put(Entry entry) {
    if (entries == null) {
      entries = new ArrayDeque<>(MAX_SLOTS);
    }
    boolean isFull = entries.size() == MAX_SLOTS;
    Entry first = takeFirst(isFull ? -1 : maxBytes - entry.group.slotBytes(), Long.MAX_VALUE);
    entries.addLast(entry);
    bytes += entry.group.slotBytes();
    return first;
  }

  /** Takes the oldest slot if there are more bytes than {@code most}, or it is that old. */
  private synchronized @Nullable Entry takeFirst(long most, long ageNanos) {
    ArrayDeque<Entry> all = entries;
    Entry first = all == null ? null : all.peekFirst();
    if (all == null
        || first == null
        || (bytes <= most && System.nanoTime() - first.sinceNanos < ageNanos)) {
      return null;
    }
    all.removeFirst();
    bytes -= first.group.slotBytes();
    return first;
  }

  /** Releases the slots that have been here for {@code nanos}. */
  void release(long nanos) {
    Entry first;
    while ((first = takeFirst(Long.MAX_VALUE, nanos)) != null) {
      first.group.release(first.index);
    }
  }

  /** Returns the bytes of all slots in quarantine. */
  synchronized long bytes() {
    return bytes;
  }
}
