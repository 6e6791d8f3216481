/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The last accesses of one watched object, newest first. Any thread adds to it.
 *
 * <p>The list is cut to its length only when it is twice as long, so that an access costs one
 * compare-and-set and, on average, one step. Taking a stack is what costs: accesses of one thread
 * with one hint that follow each other within {@link #BURST_NANOS} share the first one's, and are
 * counted (seed rows E2, E3, E5).
 */
public final class AccessTrail {
  /** An access so soon after the last one is taken for a step of the same work. */
  public static final long BURST_NANOS =
      Settings.number("leakDetection.burstNanos", 2_000L, 0L, 1_000_000_000L);

  private static final AtomicReferenceFieldUpdater<AccessTrail, AccessRecord> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(AccessTrail.class, AccessRecord.class, "newest");

  private final int maxRecords;
  private final long burstNanos;

  /** Written by whoever adds, by compare-and-set. */
  private volatile @Nullable AccessRecord newest;

  /**
   * @param maxRecords accesses kept, the last ones; 0: none
   * @param burstNanos accesses that follow each other so closely share a stack; 0: each has its own
   */
  public AccessTrail(int maxRecords, long burstNanos) {
    this.maxRecords = maxRecords;
    this.burstNanos = burstNanos;
  }

  /** Adds an access by the calling thread, with its stack unless it belongs to a burst. */
  public void add(@Nullable Object hint) {
    if (maxRecords == 0) {
      return;
    }
    AccessRecord last = newest;
    if (last != null && burstNanos > 0 && last.absorbs(hint, burstNanos)) {
      return;
    }
    add(new AccessRecord(hint));
  }

  private void add(AccessRecord access) {
    boolean cuts;
    do {
      AccessRecord last = newest;
      access.earlier = last;
      access.number = last == null ? 1 : last.number + 1 + last.repeats();
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

  /** All accesses up to now that {@link #records()} neither has nor counts. */
  public long dropped() {
    List<AccessRecord> kept = records();
    return kept.isEmpty() ? 0 : kept.get(kept.size() - 1).number - 1;
  }
}
