/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.trace;

import org.jspecify.annotations.Nullable;

/**
 * The stack of an access to an object. The JVM records the frames of a throwable at once. It looks
 * up their names, which costs most, only when a leak is reported.
 */
public final class AccessRecord extends Throwable {
  private static final long serialVersionUID = 1L;

  /**
   * The previous access, if the trail still keeps it. Written by the threads that record an access
   * or cut the list.
   */
  transient volatile @Nullable AccessRecord earlier;

  /**
   * The number of records in the list that begins here, as its authors know it. Written before this
   * record is published.
   */
  transient int listed;

  private final long threadId = Thread.currentThread().getId();
  private final String threadName = Thread.currentThread().getName();
  private final int hintIdentity;

  /** The time after the stack was recorded, from which a burst is measured. */
  private final long nanos;

  /**
   * The number of further accesses. Only the thread of this record writes the field, with plain
   * stores, so a reader may miss the last ones.
   */
  private int repeats;

  /**
   * Creates a record of an access by the calling thread.
   *
   * @param hint any object, or null; this record does not keep it
   * @param text the text of the hint, or null
   */
  public AccessRecord(@Nullable Object hint, @Nullable String text) {
    super(text, null, false, true);
    hintIdentity = System.identityHashCode(hint);
    nanos = System.nanoTime();
  }

  /**
   * Returns whether an access by the calling thread now belongs to the burst of this record; if so,
   * counts it here.
   */
  boolean absorbs(@Nullable Object hint, long burstNanos) {
    if (threadId != Thread.currentThread().getId()
        || hintIdentity != System.identityHashCode(hint)
        || System.nanoTime() - nanos > burstNanos) {
      return false;
    }
    repeats++;
    return true;
  }

  /** Returns the text of the hint at the time of the access; null for none. */
  public @Nullable String hint() {
    return getMessage();
  }

  /** Returns the name of the thread. */
  public String threadName() {
    return threadName;
  }

  /** Returns the time of the access by {@link System#nanoTime()}. */
  public long nanos() {
    return nanos;
  }

  /** Returns the number of further accesses of the same burst, which share this stack. */
  public int repeats() {
    return repeats;
  }
}
