/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.internal.ReferenceCounts;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A buffer that counts its references. */
public abstract class AbstractReferenceCountedByteBuf extends AbstractByteBuf {
  private static final AtomicIntegerFieldUpdater<AbstractReferenceCountedByteBuf> COUNT =
      AtomicIntegerFieldUpdater.newUpdater(AbstractReferenceCountedByteBuf.class, "referenceCount");

  // All threads read and write this field, through ReferenceCounts; resetRefCnt is the exception.
  private volatile int referenceCount = 1;

  /**
   * @param maxCapacity the maximum capacity in bytes
   */
  protected AbstractReferenceCountedByteBuf(int maxCapacity) {
    super(maxCapacity);
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public int refCnt() {
    return ReferenceCounts.count(referenceCount);
  }

  /**
   * Sets the count, or 0 for a negative value. Only a thread that holds the only reference may call
   * this.
   */
  protected final void setRefCnt(int refCnt) {
    referenceCount =
        refCnt <= 0
            ? ReferenceCounts.CLOSED
            : refCnt; // other values up to 0 make a retain wait for a rollback
  }

  /**
   * Sets the count to 1 when a buffer is allocated again. A release store is enough, because other
   * threads get the buffer from this thread.
   */
  protected final void resetRefCnt() {
    COUNT.lazySet(this, 1);
  }

  @Override
  public ByteBuf retain() {
    ReferenceCounts.retain(COUNT, this);
    return this;
  }

  @Override
  public ByteBuf retain(int increment) {
    ReferenceCounts.retain(COUNT, this, increment);
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
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

  /** Frees the memory. The thread that makes the last release calls this method once. */
  protected abstract void deallocate();
}
