/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.trace;

import org.jspecify.annotations.Nullable;

/**
 * Where an object was used. The virtual machine notes the frames of a throwable in one go; their
 * names, which cost most, are looked up only when a leak is reported.
 */
public final class AccessRecord extends Throwable {
  private static final long serialVersionUID = 1L;

  /** The access before this one, if it is still kept. Written by whoever records or cuts. */
  transient volatile @Nullable AccessRecord earlier;

  /**
   * Records in the list that begins here, as far as its authors know. Written before it is
   * published.
   */
  transient int listed;

  private final long threadId = Thread.currentThread().getId();
  private final String threadName = Thread.currentThread().getName();
  private final int hintIdentity;

  /** The end of taking the stack: what follows at once belongs to the same work. */
  private final long nanos;

  /** Written by its own thread only, plain: a reader may miss the last ones. */
  private int repeats;

  /**
   * An access by the calling thread.
   *
   * @param hint any object, or null; not kept
   * @param text what it says, or null
   */
  public AccessRecord(@Nullable Object hint, @Nullable String text) {
    super(text, null, false, true);
    hintIdentity = System.identityHashCode(hint);
    nanos = System.nanoTime();
  }

  /** Whether this also stands for an access by the calling thread now; it is counted then. */
  boolean absorbs(@Nullable Object hint, long burstNanos) {
    if (threadId != Thread.currentThread().getId()
        || hintIdentity != System.identityHashCode(hint)
        || System.nanoTime() - nanos > burstNanos) {
      return false;
    }
    repeats++;
    return true;
  }

  /** The hint's text as it was then; null for none. */
  public @Nullable String hint() {
    return getMessage();
  }

  /** The name of the thread. */
  public String threadName() {
    return threadName;
  }

  /** When, by {@link System#nanoTime()}. */
  public long nanos() {
    return nanos;
  }

  /** Accesses that followed at once, and share this one's stack. */
  public int repeats() {
    return repeats;
  }
}
