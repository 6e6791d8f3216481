/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One object of a {@link Recycler}, and whether it is in use.
 *
 * <p>The owner, the thread that made the object, keeps a flag and counts the turns in which the
 * object is used. Others, who may be too many, claim a turn by compare-and-set. Who comes second is
 * refused. If the owner and another free the object at the very same time, the owner's word counts,
 * and the other's claim, to a turn that is over, is ignored. So no object is handed out twice.
 */
final class ObjectHandle<T> extends Recycler.EnhancedHandle<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicIntegerFieldUpdater<ObjectHandle> TURN =
      AtomicIntegerFieldUpdater.newUpdater(ObjectHandle.class, "turn");

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<ObjectHandle> FREED_TURN =
      AtomicIntegerFieldUpdater.newUpdater(ObjectHandle.class, "freedTurn");

  /** Weak, so that an object in use keeps none of a dead thread's alive. */
  private final WeakReference<ObjectStack<T>> home;

  /** Set once, by the owner, before the object is handed out. */
  @Nullable T object;

  /**
   * Written by the owner. Another reads it after {@link #turn}, which is released after it: who
   * sees the end of a turn sees that the object is free.
   */
  boolean isFree;

  /** Odd, so never 0. Written by the owner, in release mode. */
  private volatile int turn = 1;

  /**
   * The turn that another thread ended; 0 if none, or if the owner has seen it. As long as it is
   * not 0, this handle is in the list of those that others freed, or about to be.
   */
  private volatile int freedTurn;

  /** The next in that list. Written before the list refers to this handle. */
  @Nullable ObjectHandle<T> next;

  ObjectHandle(WeakReference<ObjectStack<T>> home) {
    this.home = home;
  }

  @Override
  public void recycle(T self) {
    free(self);
  }

  @Override
  public void unguardedRecycle(Object object) {
    free(object);
  }

  private void free(@Nullable Object freed) {
    if (freed != object) {
      throw new IllegalArgumentException("the object does not belong to this handle");
    }
    ObjectStack<T> stack = home.get();
    if (stack != null && stack.owner == Thread.currentThread()) {
      freeByOwner(stack);
    } else {
      freeByOther(stack);
    }
  }

  void freeByOwner(ObjectStack<T> stack) {
    if (isFree || freedTurn != 0) {
      throw recycledAlready();
    }
    stack.push(this);
  }

  private void freeByOther(@Nullable ObjectStack<T> stack) {
    int current = turn;
    if (isFree || !FREED_TURN.compareAndSet(this, 0, current)) {
      throw recycledAlready();
    }
    if (stack != null) {
      stack.pushFromOther(this);
    }
  }

  /** The object is free from now on. Owner only. */
  void endTurn() {
    isFree = true;
    TURN.lazySet(this, turn + 2);
  }

  /** Takes note of the turn that another ended; false if it was over before. Owner only. */
  boolean isFreedInItsTurn() {
    int freed = freedTurn;
    FREED_TURN.lazySet(this, 0);
    return freed == turn && !isFree;
  }

  private static IllegalStateException recycledAlready() {
    return new IllegalStateException("the object was recycled already");
  }
}
