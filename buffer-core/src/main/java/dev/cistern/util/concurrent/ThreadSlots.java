/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of each thread: an array in which a variable has two places, for its value and, while
 * it has one, for the variable itself. So code finds the variables of a thread without a separate
 * set.
 *
 * <p>Only a thread itself reads and writes its slots. Those of a plain thread are the value of one
 * {@link ThreadLocal}, which becomes unreachable at the end of the thread.
 */
final class ThreadSlots {
  /** The content of a slot without a value, because null is a value. */
  static final Object UNSET = new Object();

  /** The slots of a thread that has set no variable. */
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

  /** Returns the calling thread's slots, extended to contain {@code index} and the next place. */
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

  /** Drops all values of the calling thread. */
  static void drop() {
    if (Thread.currentThread() instanceof FastThreadLocalThread fast) {
      fast.slots = NONE;
    }
    OF_PLAIN_THREADS.remove();
  }
}
