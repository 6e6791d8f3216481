/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of each thread: an array in which a variable has two places, its value and, while it
 * has one, the variable itself. So the variables that a thread has set are found without a set.
 *
 * <p>Only a thread itself reads and writes its slots. Those of a plain thread are the value of one
 * {@link ThreadLocal}, which dies with the thread.
 */
final class ThreadSlots {
  /** The value of a variable that has none; null is a value. */
  static final Object UNSET = new Object();

  /** Of a thread that has set nothing. */
  static final @Nullable Object[] NONE = {};

  private static final int FIRST_LENGTH = 32;

  static final ThreadLocal<@Nullable Object[]> OF_PLAIN_THREADS =
      ThreadLocal.withInitial(() -> NONE);

  private ThreadSlots() {}

  static @Nullable Object[] current() {
    return Thread.currentThread() instanceof FastThreadLocalThread fast
        ? fast.slots
        : OF_PLAIN_THREADS.get();
  }

  /** Returns the calling thread's slots, made long enough for {@code index} and the next place. */
  static @Nullable Object[] currentSlow(int index) {
    @Nullable Object[] slots = current();
    if (index < slots.length) {
      return slots;
    }
    int length = index + 2;
    int newLength = Math.max(FIRST_LENGTH, length + (length >> 1) & -2);
    @Nullable Object[] longer = Arrays.copyOf(slots, newLength);
    for (int i = slots.length; i < newLength; i += 2) {
      longer[i] = UNSET;
    }
    if (Thread.currentThread() instanceof FastThreadLocalThread fast) {
      fast.slots = longer;
    } else {
      OF_PLAIN_THREADS.set(longer);
    }
    return longer;
  }

  /** Forgets all values of the calling thread. */
  static void drop() {
    if (Thread.currentThread() instanceof FastThreadLocalThread fast) {
      fast.slots = NONE;
    }
    OF_PLAIN_THREADS.remove();
  }
}
