/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.internal.ReferenceCounts;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Base class of {@link ReferenceCounted} objects, with a thread-safe count that starts at 1. */
public abstract class AbstractReferenceCounted implements ReferenceCounted {
  private static final AtomicIntegerFieldUpdater<AbstractReferenceCounted> COUNT =
      AtomicIntegerFieldUpdater.newUpdater(AbstractReferenceCounted.class, "referenceCount");

  // All threads read and write this field, through ReferenceCounts.
  private volatile int referenceCount = 1;

  /** Creates an object with a count of 1. */
  public AbstractReferenceCounted() {}

  @Override
  public int refCnt() {
    return ReferenceCounts.count(referenceCount);
  }

  /**
   * Sets the count, or 0 for a negative value, whatever the references; for objects that are used
   * again.
   */
  protected final void setRefCnt(int refCnt) {
    // Other values up to 0 would make a retain wait.
    referenceCount = refCnt <= 0 ? ReferenceCounts.CLOSED : refCnt;
  }

  @Override
  public ReferenceCounted retain() {
    ReferenceCounts.retain(COUNT, this);
    return this;
  }

  @Override
  public ReferenceCounted retain(int increment) {
    ReferenceCounts.retain(COUNT, this, increment);
    return this;
  }

  @Override
  public boolean release() {
    boolean released = ReferenceCounts.release(COUNT, this);
    if (released) {
      deallocate();
    }
    return released;
  }

  @Override
  public boolean release(int decrement) {
    boolean released = ReferenceCounts.release(COUNT, this, decrement);
    if (released) {
      deallocate();
    }
    return released;
  }

  /** Frees the resources. The thread that makes the last release calls this method once. */
  protected abstract void deallocate();
}
