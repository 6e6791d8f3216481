/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import dev.cistern.util.IllegalReferenceCountException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The arithmetic of reference counts, for classes with a count in a field.
 *
 * <p>The common case is one optimistic addition that is checked afterwards, because, unlike a
 * compare-and-set, an atomic addition does not fail under contention. The highest two bits of the
 * field are its state:
 *
 * <ul>
 *   <li>00 and 01: the count. As in Netty, a retain does not lead from one to the other: it stops
 *       at 2^30 - 1, or at 2^31 - 1 if {@code setRefCnt} set a count of 2^30 or more. A retain
 *       beyond the limit undoes its addition, unless releases have made room for it. Until then, a
 *       second retain can succeed;
 *   <li>10: a retain of a count of 2^31 - 1, which the retaining thread undoes;
 *   <li>11, from {@link #CLOSED_BELOW} on: an extra release, which the releasing thread undoes.
 *       Other threads wait for that, so that the thread of the extra release gets the exception;
 *   <li>11, below: released. Only a compare-and-set from 0 or from 1 sets this state, so that
 *       exactly one caller frees the object. Failed additions can change the value slightly.
 * </ul>
 *
 * <p>At 0 there is no reference to the object, and the thread that set the field to 0 closes it. A
 * retain before that revives the object, as if it had preceded the release.
 */
public final class ReferenceCounts {
  /** The value of a field whose object is released, or not yet in use. */
  public static final int CLOSED = -3 << 28;

  /** The maximum count that a retain sets; also the mask of the bits of a field below its state. */
  private static final int LIMIT = (1 << 30) - 1;

  /** The limit of negative values; those below it belong to retains that are undone. */
  private static final int OVERFLOW_BELOW = ~LIMIT;

  private static final int CLOSED_BELOW = CLOSED / 2;

  private ReferenceCounts() {}

  /** Returns the count that a value of a field represents. */
  public static int count(int value) {
    if (value >= 0) {
      return value;
    }
    return value < OVERFLOW_BELOW ? Integer.MAX_VALUE : 0;
  }

  private static boolean isClosed(int value) {
    return value < CLOSED_BELOW && value >= OVERFLOW_BELOW;
  }

  private static boolean isSameState(int value, int other) {
    return (value ^ other) >>> 30 == 0;
  }

  /**
   * Adds 1.
   *
   * @throws IllegalReferenceCountException if released already, or if the count is at its maximum
   */
  public static <T> void retain(AtomicIntegerFieldUpdater<T> field, T object) {
    int before = field.getAndAdd(object, 1);
    if (before < 0 || before == LIMIT || before == Integer.MAX_VALUE) {
      settleRetainSlow(field, object, before);
    }
  }

  /**
   * Adds {@code increment}.
   *
   * @throws IllegalReferenceCountException if released already, or if the count would overflow
   * @throws IllegalArgumentException if {@code increment} is not positive
   */
  public static <T> void retain(AtomicIntegerFieldUpdater<T> field, T object, int increment) {
    requirePositive(increment, "increment");
    for (; ; ) {
      int before = field.get(object);
      if (before <= 0 || !isSameState(before, before + increment)) {
        throw new IllegalReferenceCountException(count(before), increment);
      }
      if (field.compareAndSet(object, before, before + increment)) {
        return;
      }
    }
  }

  /**
   * Subtracts 1.
   *
   * @return true if the object is now released, and the caller must free it
   * @throws IllegalReferenceCountException if released already
   */
  public static <T> boolean release(AtomicIntegerFieldUpdater<T> field, T object) {
    int before = field.get(object);
    if (before == 1 && field.compareAndSet(object, 1, CLOSED)) {
      return true;
    }
    return releaseShared(field, object, before);
  }

  /**
   * Subtracts {@code decrement}.
   *
   * @return true if the object is now released, and the caller must free it
   * @throws IllegalReferenceCountException if the count is smaller
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  public static <T> boolean release(AtomicIntegerFieldUpdater<T> field, T object, int decrement) {
    requirePositive(decrement, "decrement");
    for (; ; ) {
      int before = field.get(object);
      if (count(before) < decrement) {
        throw new IllegalReferenceCountException(count(before), -decrement);
      }
      int after = before == decrement ? CLOSED : before - decrement;
      if (field.compareAndSet(object, before, after)) {
        return after == CLOSED;
      }
    }
  }

  private static <T> boolean releaseShared(AtomicIntegerFieldUpdater<T> field, T object, int seen) {
    if (seen <= 0 && count(seen) == 0) {
      throw new IllegalReferenceCountException(0, -1);
    }
    int before = field.getAndAdd(object, -1);
    if (before == 1) {
      return closeUnlessRetained(field, object);
    }
    if (before <= 0 && count(before) == 0) {
      takeBackReleaseSlow(field, object);
    }
    return false;
  }

  private static <T> boolean closeUnlessRetained(AtomicIntegerFieldUpdater<T> field, T object) {
    for (; ; ) {
      if (field.compareAndSet(object, 0, CLOSED)) {
        return true;
      }
      int value = field.get(object);
      if (value > 0 || isClosed(value)) {
        return false;
      }
      // Another thread is undoing an extra release: closing now would hide it. The loop does not
      // pause: BlockHound refuses Thread.onSpinWait, and the other thread has two instructions
      // left.
    }
  }

  /**
   * Ends a retain that found {@code before}: either the retain is valid, or it is undone and fails.
   */
  private static <T> void settleRetainSlow(
      AtomicIntegerFieldUpdater<T> field, T object, int before) {
    if (isClosed(before)) {
      // A failure is ignored: the object may be in use again, with a new count.
      field.compareAndSet(object, before + 1, before);
      throw new IllegalReferenceCountException(0, 1);
    }
    int overflow = before == LIMIT ? LIMIT + 1 : Integer.MIN_VALUE;
    int value;
    do { // without a pause, as above
      value = field.get(object);
      if (isClosed(value)) {
        throw new IllegalReferenceCountException(0, 1);
      }
      if (value > 0 && !isSameState(value, overflow)) {
        return; // after an extra release, or after releases that made room
      }
    } while (!isSameState(value, overflow) || !field.compareAndSet(object, value, value - 1));
    throw new IllegalReferenceCountException(count(before), 1);
  }

  private static <T> void takeBackReleaseSlow(AtomicIntegerFieldUpdater<T> field, T object) {
    for (; ; ) {
      int value = field.get(object);
      if (isClosed(value) || field.compareAndSet(object, value, value + 1)) {
        throw new IllegalReferenceCountException(count(value), -1);
      }
    }
  }

  /**
   * Checks a change of a count.
   *
   * @throws IllegalArgumentException if {@code change} is not positive
   */
  public static void requirePositive(int change, String name) {
    if (change <= 0) {
      throw new IllegalArgumentException(name + ": " + change + " (expected: > 0)");
    }
  }
}
