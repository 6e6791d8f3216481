/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import org.jspecify.annotations.Nullable;

/**
 * A thread's buffers by the step at which they are due: a binary heap in arrays, which does not
 * allocate on the Java heap while it is in use.
 */
final class LiveBuffers {
  private final long[] due;
  private final @Nullable Object[] buffers;
  private final int[] bytes;
  private final boolean[] handedOver;
  private int count;
  private long liveBytes;

  LiveBuffers(int capacity) {
    due = new long[capacity];
    buffers = new Object[capacity];
    bytes = new int[capacity];
    handedOver = new boolean[capacity];
  }

  boolean isFull() {
    return count == due.length;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Returns the requested bytes of all buffers. */
  long liveBytes() {
    return liveBytes;
  }

  /** Returns when the first buffer is due. There must be one. */
  long firstDue() {
    return due[0];
  }

  boolean firstIsHandedOver() {
    return handedOver[0];
  }

  void add(Object buffer, int size, long dueAt, boolean toOther) {
    int place = count++;
    set(place, dueAt, buffer, size, toOther);
    liveBytes += size;
    while (place > 0 && due[(place - 1) / 2] > due[place]) {
      swap(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  }

  /** Removes the first buffer that is due. */
  Object removeFirst() {
    Object first = buffers[0];
    if (first == null) {
      throw new IllegalStateException("nothing alive");
    }
    liveBytes -= bytes[0];
    count--;
    swap(0, count);
    buffers[count] = null;
    for (int place = 0, child; (child = smallerChild(place)) > 0; place = child) {
      swap(place, child);
    }
    return first;
  }

  /** Returns the child that is due before its parent, or 0 if there is none. */
  private int smallerChild(int place) {
    int child = 2 * place + 1;
    if (child >= count) {
      return 0;
    }
    if (child + 1 < count && due[child + 1] < due[child]) {
      child++;
    }
    return due[child] < due[place] ? child : 0;
  }

  private void set(int place, long dueAt, @Nullable Object buffer, int size, boolean toOther) {
    due[place] = dueAt;
    buffers[place] = buffer;
    bytes[place] = size;
    handedOver[place] = toOther;
  }

  private void swap(int a, int b) {
    long dueAtA = due[a];
    Object bufferA = buffers[a];
    int bytesA = bytes[a];
    boolean handedOverA = handedOver[a];
    set(a, due[b], buffers[b], bytes[b], handedOver[b]);
    set(b, dueAtA, bufferA, bytesA, handedOverA);
  }
}
