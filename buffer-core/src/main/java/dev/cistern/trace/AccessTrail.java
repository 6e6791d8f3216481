/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last accesses of one watched object, newest first. Any thread adds to it.
 *
 * <p>The list is cut to its length only when it is twice as long, so that an access costs one
 * compare-and-set and, on average, one step. Taking a stack is what costs: accesses of one thread
 * with one hint that follow each other closely share the first one's, and are counted.
 */
public final class AccessTrail {
  private static final AtomicReferenceFieldUpdater<AccessTrail, AccessRecord> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(AccessTrail.class, AccessRecord.class, "newest");

  private static final AtomicLongFieldUpdater<AccessTrail> TOTAL =
      AtomicLongFieldUpdater.newUpdater(AccessTrail.class, "total");

  private final int maxRecords;
  private final long burstNanos;
  private final Function<Object, @Nullable String> hintText;

  /** All accesses: added to by any thread. */
  private volatile long total;

  /** Written by whoever adds, by compare-and-set. */
  private volatile @Nullable AccessRecord newest;

  /**
   * @param maxRecords accesses kept, the last ones; 0: none
   * @param burstNanos accesses that follow each other so closely share a stack; 0: each has its own
   * @param hintText what a hint says, now: the object may be another one when it is asked again
   */
  public AccessTrail(int maxRecords, long burstNanos, Function<Object, @Nullable String> hintText) {
    this.maxRecords = maxRecords;
    this.burstNanos = burstNanos;
    this.hintText = hintText;
  }

  /** Adds an access by the calling thread, with its stack unless it belongs to a burst. */
  public void add(@Nullable Object hint) {
    if (maxRecords == 0) {
      return;
    }
    TOTAL.incrementAndGet(this);
    AccessRecord last = newest;
    if (last != null && burstNanos > 0 && last.absorbs(hint, burstNanos)) {
      return;
    }
    add(new AccessRecord(hint, text(hint)));
  }

  private @Nullable String text(@Nullable Object hint) {
    if (hint == null) {
      return null;
    }
    try {
      return hintText.apply(hint);
    } catch (RuntimeException | LinkageError | StackOverflowError failure) {
      return "a " + hint.getClass().getName() + " whose text failed with " + failure.getClass();
    }
  }

  private void add(AccessRecord access) {
    boolean cuts;
    do {
      AccessRecord last = newest;
      access.earlier = last;
      int listed = last == null ? 1 : last.listed + 1;
      cuts = listed >= 2L * maxRecords;
      access.listed = cuts ? maxRecords : listed;
    } while (!NEWEST.compareAndSet(this, access.earlier, access));
    if (cuts) {
      cut(access);
    }
  }

  private void cut(AccessRecord from) {
    AccessRecord last = from;
    for (int kept = 1; kept < maxRecords; kept++) {
      AccessRecord earlier = last.earlier;
      if (earlier == null) {
        return; // another thread cut further down
      }
      last = earlier;
    }
    last.earlier = null;
  }

  /** The accesses that are kept, newest first. */
  public List<AccessRecord> records() {
    List<AccessRecord> records = new ArrayList<>();
    AccessRecord access = newest;
    for (int i = 0; i < maxRecords && access != null; i++) {
      records.add(access);
      access = access.earlier;
    }
    return records;
  }

  /** All accesses up to now, whether they are kept or not. */
  public long total() {
    return total;
  }
}
