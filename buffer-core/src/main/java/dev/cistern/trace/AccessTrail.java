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
 * The last accesses to one tracked object, newest first. Any thread can add an access.
 *
 * <p>The list is cut to its maximum length only when it is twice as long, so that an access costs
 * one compare-and-set and, on average, one step. Most of the cost is that of the stack. So accesses
 * of a burst, by one thread with one hint, share the stack of the first access, and are only
 * counted.
 */
public final class AccessTrail {
  private static final AtomicReferenceFieldUpdater<AccessTrail, AccessRecord> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(AccessTrail.class, AccessRecord.class, "newest");

  private static final AtomicLongFieldUpdater<AccessTrail> TOTAL =
      AtomicLongFieldUpdater.newUpdater(AccessTrail.class, "total");

  private final int maxRecords;
  private final long burstNanos;
  private final Function<Object, @Nullable String> hintText;

  /** The number of all accesses. Any thread increments it. */
  private volatile long total;

  /** The newest record. The thread that adds a record writes this field with a compare-and-set. */
  private volatile @Nullable AccessRecord newest;

  /**
   * @param maxRecords number of accesses to keep, the last ones; 0 for none
   * @param burstNanos maximum duration of a burst, whose accesses share a stack, in nanoseconds; 0
   *     if each access has its own stack
   * @param hintText returns the text of a hint, which is read at each access, because a hint can
   *     change later
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
        return; // another thread cut the list further down
      }
      last = earlier;
    }
    last.earlier = null;
  }

  /** Returns the kept accesses, newest first. */
  public List<AccessRecord> records() {
    List<AccessRecord> records = new ArrayList<>();
    AccessRecord access = newest;
    for (int i = 0; i < maxRecords && access != null; i++) {
      records.add(access);
      access = access.earlier;
    }
    return records;
  }

  /** Returns the number of all accesses so far, kept or not. */
  public long total() {
    return total;
  }
}
