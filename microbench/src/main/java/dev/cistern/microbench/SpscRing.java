/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A bounded queue from one thread to one other. An empty place is null; nobody shares an index. */
final class SpscRing {
  private final AtomicReferenceArray<@Nullable Object> places;
  private final int mask;

  /** Only the producer's. */
  private int tail;

  /** Only the consumer's. */
  private int head;

  /**
   * @param capacity a power of two
   */
  SpscRing(int capacity) {
    places = new AtomicReferenceArray<>(capacity);
    mask = capacity - 1;
  }

  /** False where it is full. */
  boolean offer(Object element) {
    int place = tail & mask;
    if (places.getAcquire(place) != null) {
      return false;
    }
    places.setRelease(place, element);
    tail++;
    return true;
  }

  /** Null where it is empty. */
  @Nullable Object poll() {
    int place = head & mask;
    Object element = places.getAcquire(place);
    if (element != null) {
      places.setRelease(place, null);
      head++;
    }
    return element;
  }
}
