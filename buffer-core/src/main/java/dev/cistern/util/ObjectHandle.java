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
 * object is used. Other threads claim the end of a turn by compare-and-set. The second release of a
 * turn is refused. If the owner and another thread release the object at the same time, the owner's
 * release counts: the other thread's claim is of a turn that is over, and has no effect. So no
 * object is handed out twice.
 */
final class ObjectHandle<T> extends Recycler.EnhancedHandle<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicIntegerFieldUpdater<ObjectHandle> TURN =
      AtomicIntegerFieldUpdater.newUpdater(ObjectHandle.class, "turn");

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<ObjectHandle> CLAIM =
      AtomicIntegerFieldUpdater.newUpdater(ObjectHandle.class, "claim");

  /** Weak, so that an object in use keeps nothing of a dead thread alive. */
  final WeakReference<ObjectStack<T>> home;

  /** Set once, by the owner, before the object is handed out. */
  @Nullable T object;

  /**
   * Written by the owner. Another thread reads it after {@link #turn}, which is released after it:
   * a thread that sees the end of a turn sees that the object is free.
   */
  boolean isFree;

  /** Odd, so never 0. Written by the owner, in release mode. */
  volatile int turn = 1;

  /**
   * The turn that another thread ended; 0 if none, or after the owner has seen it. While it is not
   * 0, this handle is in the stack's list of those that other threads freed, or about to be.
   */
  volatile int claim;

  /** The next in that list. Written before the list refers to this handle. */
  @Nullable ObjectHandle<T> next;

  ObjectHandle(WeakReference<ObjectStack<T>> home) {
    this.home = home;
  }

  @Override
  public void unguardedRecycle(@Nullable Object freed) {
    if (freed != object) {
      throw new IllegalArgumentException("cannot recycle object: it is of another handle");
    }
    ObjectStack<T> stack = home.get();
    if (stack != null && stack.owner == Thread.currentThread()) {
      freeByOwner(stack);
    } else {
      freeByOther(stack, turn);
    }
  }

  void freeByOwner(ObjectStack<T> stack) {
    if (isFree || claim == turn) {
      throw recycledAlready();
    }
    stack.push(this);
  }

  /**
   * Ends the turn {@code seen} from another thread. An earlier claim is of a turn that the owner
   * has ended: it is replaced, and its author puts this handle into the list.
   */
  void freeByOther(@Nullable ObjectStack<T> stack, int seen) {
    int earlier;
    do {
      earlier = claim;
      if (isFree || (earlier != 0 && earlier - seen >= 0)) {
        throw recycledAlready();
      }
    } while (!CLAIM.compareAndSet(this, earlier, seen));
    if (earlier == 0 && stack != null) {
      stack.pushFromOther(this);
    }
  }

  /** Ends the turn: the object is free. Owner only. */
  void endTurn() {
    isFree = true;
    TURN.lazySet(this, turn + 2);
  }

  /** Removes the claim, and returns whether it was of the current turn. Owner only. */
  boolean takeClaim() {
    return CLAIM.getAndSet(this, 0) == turn;
  }

  private static IllegalStateException recycledAlready() {
    return new IllegalStateException("cannot recycle object: it was recycled already");
  }
}
