/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The arithmetic of reference counts (seed row B6), for classes that keep theirs in a field.
 *
 * <p>The common case is one optimistic addition that is checked afterwards, because a locked
 * addition does not fail under contention as a compare-and-set does. The field holds
 *
 * <ul>
 *   <li>1 up to {@link #MAXIMUM}: live;
 *   <li>above that: an overflow that its author is about to take back;
 *   <li>0: nobody holds the object, and whoever brought it there is about to close it. A retain
 *       that arrives first revives it, and then it is not closed: the two are ordered as if the
 *       retain had come before the release;
 *   <li>just below 0: a release too many, which its author is about to take back. The two above
 *       wait for that, so that the mistake is told to its author and not hidden by the rightful
 *       one;
 *   <li>far below 0, around {@link #CLOSED}: released. Only a compare-and-set from 0 or from 1
 *       leads here, so that exactly one caller frees the object. Failed additions may move the
 *       value a little; the band is too wide to leave, since larger additions are compared first.
 * </ul>
 */
public final class ReferenceCounts {
  /** The highest count. */
  public static final int MAXIMUM = (1 << 30) - 1;

  /** The value of a field whose object was released, or not handed out yet. */
  public static final int CLOSED = -(1 << 30);

  /** Values below this are closed; those between this and 0 are additions being taken back. */
  private static final int CLOSED_BELOW = CLOSED / 2;

  private ReferenceCounts() {}

  /** The count that a field's value stands for. */
  public static int count(int value) {
    return Math.max(0, Math.min(value, MAXIMUM));
  }

  /**
   * Adds 1.
   *
   * @throws IllegalReferenceCountException if released already, or at {@link #MAXIMUM}
   */
  public static <T> void retain(AtomicIntegerFieldUpdater<T> field, T object) {
    int before = field.getAndAdd(object, 1);
    if (before < 0 || before >= MAXIMUM) {
      takeBackRetainSlow(field, object, before);
    }
  }

  /**
   * Adds {@code increment}.
   *
   * @throws IllegalReferenceCountException if released already, or if it would pass {@link
   *     #MAXIMUM}
   * @throws IllegalArgumentException if {@code increment} is not positive
   */
  public static <T> void retain(AtomicIntegerFieldUpdater<T> field, T object, int increment) {
    requirePositive(increment, "increment");
    for (; ; ) {
      int before = field.get(object);
      if (before <= 0 || before > MAXIMUM - increment) {
        throw new IllegalReferenceCountException(count(before), increment);
      }
      if (field.compareAndSet(object, before, before + increment)) {
        return;
      }
    }
  }

  /**
   * Takes 1.
   *
   * @return true if the object is now released, and the caller is the one to free it
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
   * Takes {@code decrement}.
   *
   * @return true if the object is now released, and the caller is the one to free it
   * @throws IllegalReferenceCountException if the count is smaller
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  public static <T> boolean release(AtomicIntegerFieldUpdater<T> field, T object, int decrement) {
    requirePositive(decrement, "decrement");
    for (; ; ) {
      int before = field.get(object);
      if (before <= 0 || before < decrement) {
        throw new IllegalReferenceCountException(count(before), -decrement);
      }
      int after = before == decrement ? CLOSED : before - decrement;
      if (field.compareAndSet(object, before, after)) {
        return after == CLOSED;
      }
    }
  }

  private static <T> boolean releaseShared(AtomicIntegerFieldUpdater<T> field, T object, int seen) {
    if (seen <= 0) {
      throw new IllegalReferenceCountException(0, -1);
    }
    int before = field.getAndAdd(object, -1);
    if (before == 1) {
      return closeUnlessRetained(field, object);
    }
    if (before <= 0) {
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
      if (value > 0 || value < CLOSED_BELOW) {
        return false;
      }
      // A release too many is being taken back: closing now would hide it. The loop does not pause:
      // BlockHound refuses Thread.onSpinWait, and the other thread has two instructions left.
    }
  }

  private static <T> void takeBackRetainSlow(
      AtomicIntegerFieldUpdater<T> field, T object, int before) {
    if (before < CLOSED_BELOW) {
      // Left alone if it fails: the object may have been handed out anew, with a fresh count.
      field.compareAndSet(object, before + 1, before);
    } else if (before >= MAXIMUM) {
      field.getAndAdd(object, -1);
    } else if (isRetainedAfterAll(field, object)) {
      return;
    }
    throw new IllegalReferenceCountException(count(before), 1);
  }

  /** A retain met a release too many: once that is taken back, it stands, or comes too late. */
  private static <T> boolean isRetainedAfterAll(AtomicIntegerFieldUpdater<T> field, T object) {
    int value = field.get(object);
    while (value <= 0 && value >= CLOSED_BELOW) {
      value = field.get(object); // without a pause, as above
    }
    return value > 0;
  }

  private static <T> void takeBackReleaseSlow(AtomicIntegerFieldUpdater<T> field, T object) {
    for (; ; ) {
      int value = field.get(object);
      if (value < CLOSED_BELOW || field.compareAndSet(object, value, value + 1)) {
        throw new IllegalReferenceCountException(count(value), -1);
      }
    }
  }

  static void requirePositive(int change, String name) {
    if (change <= 0) {
      throw new IllegalArgumentException(name + ": " + change + " (expected: > 0)");
    }
  }
}
