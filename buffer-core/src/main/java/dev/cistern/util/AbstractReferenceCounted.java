/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.internal.ReferenceCounts;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A {@link ReferenceCounted} with a thread-safe count that starts at 1. */
public abstract class AbstractReferenceCounted implements ReferenceCounted {
  private static final AtomicIntegerFieldUpdater<AbstractReferenceCounted> COUNT =
      AtomicIntegerFieldUpdater.newUpdater(AbstractReferenceCounted.class, "referenceCount");

  // Written and read by any thread, through ReferenceCounts.
  private volatile int referenceCount = 1;

  /** Starts with a count of 1. */
  public AbstractReferenceCounted() {}

  @Override
  public int refCnt() {
    return ReferenceCounts.count(referenceCount);
  }

  /**
   * Sets the count, to 0 where negative, without regard to holders; for objects that are used
   * again.
   */
  protected final void setRefCnt(int refCnt) {
    referenceCount = refCnt <= 0 ? ReferenceCounts.CLOSED : refCnt; // below: retain waits
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

  /** Called once, by the thread that released last. */
  protected abstract void deallocate();
}
