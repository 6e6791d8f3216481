/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from one producer thread to one consumer thread, with a very low cost for both.
 * Each thread publishes its progress once for each {@link #BLOCK}, and fields with different
 * writers are on different cache lines. The measured time therefore does not depend on how closely
 * the consumer follows the producer.
 */
final class SpscRing {
  /**
   * The number of elements that become visible at once, and of entries that become free at once.
   */
  static final int BLOCK = 64;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  // Indices of the words. 128 bytes separate the words that different threads write.
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
   * Creates the queue.
   *
   * @param capacity a power of two, at least two blocks
   */
  SpscRing(int capacity) {
    places = new Object[capacity];
    words[TAIL_LIMIT] = capacity;
  }

  /** Appends an element. Returns false if the queue is full. */
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
      publish();
    }
    return true;
  }

  /**
   * Makes all appended elements visible to the consumer, including those of an incomplete block.
   * Only the producer calls it.
   */
  void publish() {
    WORDS.setRelease(words, SHOWN, words[TAIL]);
  }

  /** Removes the first visible element. Returns null if there is none. */
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
