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
 * A table of sampled buffers of Netty, by identity. Netty reuses buffer objects, so an entry ends
 * when the buffer is deallocated.
 *
 * <p>A filter of counters by identity hash precedes the table: a buffer whose counter is 0 is not
 * in the table. Nearly all deallocations load only that counter. The sampling thread writes it
 * before it passes the buffer on, so that the deallocating thread sees it.
 */
final class SampledBuffers {
  /**
   * Number of filter slots: four times the limit of 16,384 samples. Usually a hundredth is in use.
   */
  static final int FILTER_SLOTS = 1 << 16;

  private static final int BUCKETS = 1 << 12;

  /** Number of buckets that are visited under one lock, so that no thread waits long for it. */
  private static final int BUCKETS_AT_A_TIME = 64;

  /** A counter that reaches this value keeps it: its count is lost. */
  private static final byte STUCK = Byte.MAX_VALUE;

  private final byte[] filter = new byte[FILTER_SLOTS];

  // Guarded by this object's lock, which also guards writes to the filter.
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

  /** Starts to accept buffers. */
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
  private void unlink(Entry removed) {
    int bucket = bucket(removed.hash);
    Entry before = null;
    for (Entry entry = buckets[bucket]; entry != null; entry = entry.next) {
      if (entry == removed) {
        if (before == null) {
          buckets[bucket] = entry.next;
        } else {
          before.next = entry.next;
        }
        size--;
        int slot = removed.hash & FILTER_SLOTS - 1;
        if (filter[slot] < STUCK) {
          filter[slot]--;
        }
        removed.clear();
        return;
      }
      before = entry;
    }
  }

  /**
   * Removes the samples of collected buffers, and updates the sizes of the remaining samples. A
   * sample that grew represents as many buffers that grew.
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
   * Updates the size of a sample. The caller holds the lock, so a buffer in the table is not
   * deallocated and is still the sampled one.
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
    Reference<?> removed;
    while ((removed = collected.poll()) != null) {
      if (removed instanceof Entry entry) {
        synchronized (this) {
          unlink(entry);
        }
      }
    }
  }

  /**
   * A sample that was removed.
   *
   * @param buffer kept referenced, so that the detector does not report its collection as a leak
   *     before its watch ends
   * @param tracker to be closed
   */
  record Forgotten(
      AbstractReferenceCountedByteBuf buffer,
      LeakTracker<AbstractReferenceCountedByteBuf> tracker) {}

  /** Stops accepting buffers. Removes and returns those that are not collected. */
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
