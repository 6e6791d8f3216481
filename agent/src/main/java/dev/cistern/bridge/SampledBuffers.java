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
 * The sampled ones among Netty's own buffers, by identity. Netty uses a buffer object again, so
 * that an entry ends when the buffer is deallocated.
 *
 * <p>In front stands a filter of counters by identity hash: a buffer whose counter is 0 is not in
 * here, which nearly all deallocations learn from one load. A counter is written before the buffer
 * leaves the thread that sampled it, so that the deallocating thread sees it.
 */
final class SampledBuffers {
  /** A quarter of it at most is in use (16,384 samples), a hundredth as a rule. */
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

  /** The filter, by {@link #filterSlot}. */
  byte[] filter() {
    return filter;
  }

  static int filterSlot(Object buffer) {
    return System.identityHashCode(buffer) & FILTER_SLOTS - 1;
  }

  /** Takes buffers in from now on. */
  synchronized void open() {
    isOpen = true;
  }

  /**
   * Enters a buffer.
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

  /** Takes a buffer out; its tracker, or null if it is not in here. */
  synchronized @Nullable LeakTracker<AbstractReferenceCountedByteBuf> remove(
      AbstractReferenceCountedByteBuf buffer) {
    int bucket = bucket(System.identityHashCode(buffer));
    for (Entry entry = buckets[bucket]; entry != null; entry = entry.next) {
      if (entry.refersTo(buffer)) {
        unlink(entry);
        return entry.tracker;
      }
    }
    return null;
  }

  private static int bucket(int hash) {
    return (hash >>> 16) & (BUCKETS - 1); // other bits than those of the filter
  }

  /** Nothing happens if it is no longer linked. */
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

  /** Under the lock: what is in here is not deallocated, and so the same buffer as ever. */
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
   * A sample that was let go of.
   *
   * @param buffer held, so that it is not collected, and taken for a leak, before its watch ends
   * @param tracker to be closed
   */
  record Forgotten(
      AbstractReferenceCountedByteBuf buffer,
      LeakTracker<AbstractReferenceCountedByteBuf> tracker) {}

  /** Takes nothing in from now on, and lets all go that is not collected. */
  synchronized List<Forgotten> close() {
    isOpen = false;
    List<Forgotten> forgotten = new ArrayList<>(size);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      for (Entry entry = buckets[bucket]; entry != null; entry = buckets[bucket]) {
        AbstractReferenceCountedByteBuf buffer = entry.get();
        if (buffer != null) { // else it was lost while it was watched: a leak
          forgotten.add(new Forgotten(buffer, entry.tracker));
        }
        unlink(entry);
      }
    }
    return forgotten;
  }

  /** How many are in here. */
  synchronized int size() {
    return size;
  }
}
