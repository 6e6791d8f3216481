/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.WatchFailures;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The slots that wait between their release and their next use, to expose use after release. The
 * pool counts them as in use until they leave the quarantine: the oldest one if there are too many
 * bytes, all after some time, and all if memory is short. If the Java heap is full, a slot is
 * released at once, and {@link WatchFailures} counts that.
 */
final class Quarantine {
  private static final int MAX_SLOTS = 4_096;

  private record Entry(SlotGroup group, int index, long sinceNanos) {}

  private final long maxBytes;

  // The monitor of this object guards all fields below.

  /**
   * The slots in quarantine, oldest first; null before the first slot. The array never grows,
   * because that could fail halfway.
   */
  private @Nullable ArrayDeque<Entry> entries;

  private long bytes;

  /**
   * @param maxBytes maximum bytes of slots in quarantine; 0 for no quarantine
   */
  Quarantine(long maxBytes) {
    this.maxBytes = maxBytes;
    WatchFailures.count(); // loads the class: a later failure in a full heap would be permanent
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

  /** Adds a slot. Returns a slot that has to leave for it, or null. */
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

  /**
   * Removes the oldest slot if there are more than {@code most} bytes, or if it is at least {@code
   * ageNanos} old.
   */
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

  /** Releases the slots that have been in quarantine for {@code nanos}. */
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
