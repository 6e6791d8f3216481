/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The handle of one object of a {@link Recycler}, which records whether the object is in use.
 *
 * <p>The owner is the thread that created the object. It writes a flag and counts the turns, the
 * periods of use of the object. Other threads claim the end of a turn with a compare-and-set. The
 * handle refuses the second release in a turn. If the owner and another thread release the object
 * at the same time, the release of the owner is valid. The claim of the other thread is for a turn
 * that has ended, and has no effect. So no caller gets an object that another one uses.
 */
final class ObjectHandle<T> extends Recycler.EnhancedHandle<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicIntegerFieldUpdater<ObjectHandle> TURN =
      AtomicIntegerFieldUpdater.newUpdater(ObjectHandle.class, "turn");

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<ObjectHandle> CLAIM =
      AtomicIntegerFieldUpdater.newUpdater(ObjectHandle.class, "claim");

  /**
   * The stack of the owner. The reference is weak, so that an object in use does not keep data of a
   * dead thread reachable.
   */
  final WeakReference<ObjectStack<T>> home;

  /** The object. Set once, by the owner, before any caller gets the object. */
  @Nullable T object;

  /**
   * Whether the object is free. Written by the owner, before its release store to {@link #turn}.
   * Other threads read it after {@link #turn}, so a thread that sees the end of a turn sees that
   * the object is free.
   */
  boolean isFree;

  /**
   * The number of the current turn, which is odd, so never 0. Written by the owner, in release
   * mode.
   */
  volatile int turn = 1;

  /**
   * The turn that another thread ended; 0 if there is none, or after the owner has seen it. While
   * this is not 0, the handle is in the stack's list of handles that other threads freed, or a
   * thread is about to add it.
   */
  volatile int claim;

  /** The next handle in that list. Written before the list refers to this handle. */
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
   * Ends the turn {@code seen} from another thread. This replaces an earlier claim for a turn that
   * the owner has ended. The thread of that claim adds this handle to the list.
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

  /** Ends the turn, so that the object is free. Only the owner calls this method. */
  void endTurn() {
    isFree = true;
    TURN.lazySet(this, turn + 2);
  }

  /**
   * Removes the claim. Returns whether it was for the current turn. Only the owner calls this
   * method.
   */
  boolean takeClaim() {
    return CLAIM.getAndSet(this, 0) == turn;
  }

  private static IllegalStateException recycledAlready() {
    return new IllegalStateException("cannot recycle object: it was recycled already");
  }
}
