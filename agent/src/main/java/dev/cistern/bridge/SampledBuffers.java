/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakTracker;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Table of Netty's own buffers that are sampled, by identity. Netty uses a buffer object again, so
 * an entry ends when the buffer is deallocated.
 *
 * <p>A filter of counters by identity hash precedes the table: a buffer whose counter is 0 is not
 * in the table. Nearly all deallocations load only that counter. The sampling thread writes it
 * before it passes the buffer on, so that the deallocating thread sees it.
 */
final class SampledBuffers {
  /** Four times the limit of 16,384 samples; usually a hundredth is in use. */
  static final int FILTER_SLOTS = 1 << 16;

  private static final int BUCKETS = 1 << 12;

  /** Buckets that are visited under one lock, so that no thread waits long for it. */
  private static final int BUCKETS_AT_A_TIME = 64;

  /** A counter that reaches this value keeps it: its count is lost. */
  private static final byte STUCK = Byte.MAX_VALUE;

  private final byte[] filter = new byte[FILTER_SLOTS];

  // Guarded by this object's lock; the filter is written under it, too.
  private final @Nullable Entry[] buckets = new Entry[BUCKETS];
  private int size;
  private boolean isOpen;

  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** A sampled buffer, held weakly: a leak is found when it is collected. */
  private static final class Entry extends WeakReference<AbstractReferenceCountedByteBuf> {
    final int hash;
    final LeakTracker<AbstractReferenceCountedByteBuf> tracker;
    @Nullable Entry next;

    Entry(
        AbstractReferenceCountedByteBuf buffer,
        LeakTracker<AbstractReferenceCountedByteBuf> tracker,
        ReferenceQueue<Object> collected) {
      super(buffer, collected);
      this.hash = System.identityHashCode(buffer);
      this.tracker = tracker;
    }
  }

  /** Returns the filter, indexed by {@link #filterSlot}. */
  byte[] filter() {
    return filter;
  }

  static int filterSlot(Object buffer) {
    return System.identityHashCode(buffer) & FILTER_SLOTS - 1;
  }

  /** Accepts buffers from now on. */
  synchronized void open() {
    isOpen = true;
  }

  /**
   * Adds a buffer.
   *
   * @return the tracker to close: that of an earlier sample of the same object, whose end was not
   *     reported, or this one if no buffer is accepted; null for none
   */
  @Nullable LeakTracker<AbstractReferenceCountedByteBuf> put(
      AbstractReferenceCountedByteBuf buffer,
      LeakTracker<AbstractReferenceCountedByteBuf> tracker) {
    Entry entry = new Entry(buffer, tracker, collected);
    synchronized (this) {
      if (!isOpen) {
        return tracker;
      }
      LeakTracker<AbstractReferenceCountedByteBuf> earlier = remove(buffer);
      int bucket = bucket(entry.hash);
      entry.next = buckets[bucket];
      buckets[bucket] = entry;
      size++;
      int slot = entry.hash & FILTER_SLOTS - 1;
      if (filter[slot] < STUCK) {
        filter[slot]++;
      }
      return earlier;
    }
  }

  /** Removes a buffer, and returns its tracker, or null if it is not in the table. */
  synchronized @Nullable LeakTracker<AbstractReferenceCountedByteBuf> remove(
      AbstractReferenceCountedByteBuf buffer) {
    Entry entry = find(buffer);
    if (entry == null) {
      return null;
    }
    unlink(entry);
    return entry.tracker;
  }

  /** Returns the tracker of a buffer, or null if it is not in the table. */
  synchronized @Nullable LeakTracker<AbstractReferenceCountedByteBuf> get(
      AbstractReferenceCountedByteBuf buffer) {
    Entry entry = find(buffer);
    return entry == null ? null : entry.tracker;
  }

  private @Nullable Entry find(AbstractReferenceCountedByteBuf buffer) {
    Entry entry = buckets[bucket(System.identityHashCode(buffer))];
    while (entry != null && !entry.refersTo(buffer)) {
      entry = entry.next;
    }
    return entry;
  }

  private static int bucket(int hash) {
    return (hash >>> 16) & (BUCKETS - 1); // other bits than those of the filter
  }

  /** Removes an entry, unless it was removed before. */
  private void unlink(Entry gone) {
    int bucket = bucket(gone.hash);
    Entry before = null;
    for (Entry entry = buckets[bucket]; entry != null; entry = entry.next) {
      if (entry == gone) {
        if (before == null) {
          buckets[bucket] = entry.next;
        } else {
          before.next = entry.next;
        }
        size--;
        int slot = gone.hash & FILTER_SLOTS - 1;
        if (filter[slot] < STUCK) {
          filter[slot]--;
        }
        gone.clear();
        return;
      }
      before = entry;
    }
  }

  /**
   * Removes the samples of collected buffers, and updates the sizes of the others. A sample that
   * grew represents as many buffers that grew.
   */
  void refresh() {
    expunge();
    for (int from = 0; from < BUCKETS; from += BUCKETS_AT_A_TIME) {
      synchronized (this) {
        for (int bucket = from; bucket < from + BUCKETS_AT_A_TIME; bucket++) {
          for (Entry entry = buckets[bucket]; entry != null; entry = entry.next) {
            measure(entry);
          }
        }
      }
    }
  }

  /**
   * Guarded by the lock: a buffer in the table is not deallocated, and so is the same as before.
   */
  private static void measure(Entry entry) {
    AbstractReferenceCountedByteBuf buffer = entry.get();
    if (buffer != null && buffer.capacity() != entry.tracker.sample().requestedBytes()) {
      entry.tracker.moved(buffer.capacity(), slotBytes(buffer));
    }
  }

  /** Returns the bytes that a buffer can hold without moving, as Netty reports them. */
  static int slotBytes(AbstractReferenceCountedByteBuf buffer) {
    return buffer.writerIndex() + buffer.maxFastWritableBytes();
  }

  private void expunge() {
    Reference<?> gone;
    while ((gone = collected.poll()) != null) {
      if (gone instanceof Entry entry) {
        synchronized (this) {
          unlink(entry);
        }
      }
    }
  }

  /**
   * A sample that was removed.
   *
   * @param buffer referenced, so that its collection is not taken for a leak before its watch ends
   * @param tracker to be closed
   */
  record Forgotten(
      AbstractReferenceCountedByteBuf buffer,
      LeakTracker<AbstractReferenceCountedByteBuf> tracker) {}

  /** Accepts no buffers from now on, and removes those that are not collected. */
  synchronized List<Forgotten> close() {
    isOpen = false;
    List<Forgotten> forgotten = new ArrayList<>(size);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      for (Entry entry = buckets[bucket]; entry != null; entry = buckets[bucket]) {
        AbstractReferenceCountedByteBuf buffer = entry.get();
        if (buffer != null) { // otherwise it is a leak
          forgotten.add(new Forgotten(buffer, entry.tracker));
        }
        unlink(entry);
      }
    }
    return forgotten;
  }

  /** Returns the number of entries. */
  synchronized int size() {
    return size;
  }
}
