/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from one thread to one other, which costs both next to nothing. Each tells the
 * other how far it is once for each {@link #BLOCK}, and what only one of them writes lies on cache
 * lines of its own; so what is measured does not hang on how close behind the one the other runs.
 */
final class SpscRing {
  /** So many elements become visible, and so many places free, at once. */
  static final int BLOCK = 64;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  // Where in the words; 128 bytes lie between what two threads write.
  private static final int TAIL = 16;
  private static final int TAIL_LIMIT = 17;
  private static final int SHOWN = 32;
  private static final int HEAD = 48;
  private static final int HEAD_LIMIT = 49;
  private static final int FREED = 64;
  private static final int WORD_COUNT = 80;

  private final Object[] places;
  private final long[] words = new long[WORD_COUNT];

  /**
   * @param capacity a power of two, at least two blocks
   */
  SpscRing(int capacity) {
    places = new Object[capacity];
    words[TAIL_LIMIT] = capacity;
  }

  /** False where it is full. */
  boolean offer(Object element) {
    long tail = words[TAIL];
    if (tail == words[TAIL_LIMIT]) {
      long limit = (long) WORDS.getAcquire(words, FREED) + places.length;
      if (tail == limit) {
        return false;
      }
      words[TAIL_LIMIT] = limit;
    }
    places[(int) tail & (places.length - 1)] = element;
    words[TAIL] = tail + 1;
    if ((tail + 1) % BLOCK == 0) {
      show();
    }
    return true;
  }

  /** Producer: lets the consumer see all that was offered, also of a block that is not full. */
  void show() {
    WORDS.setRelease(words, SHOWN, words[TAIL]);
  }

  /** Null where nothing is to be seen. */
  @Nullable Object poll() {
    long head = words[HEAD];
    if (head == words[HEAD_LIMIT]) {
      long limit = (long) WORDS.getAcquire(words, SHOWN);
      if (head == limit) {
        return null;
      }
      words[HEAD_LIMIT] = limit;
    }
    Object element = places[(int) head & (places.length - 1)];
    words[HEAD] = head + 1;
    if ((head + 1) % BLOCK == 0) {
      WORDS.setRelease(words, FREED, head + 1);
    }
    return element;
  }
}
