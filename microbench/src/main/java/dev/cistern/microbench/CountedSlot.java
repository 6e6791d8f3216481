/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.pool.SlotBinder;
import dev.cistern.pool.SlotGroup;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The minimum state of a buffer: its slot, its address and a count that allows only one release.
 */
final class CountedSlot {
  static final SlotBinder BINDER =
      new SlotBinder() {
        @Override
        public Object bind(SlotGroup group, int index) {
          return new CountedSlot(group, index);
        }

        @Override
        public void sampled(Object bound, int requestedBytes, long weightBytes) {
          // Sampling is off in these benchmarks.
        }
      };

  private static final AtomicIntegerFieldUpdater<CountedSlot> COUNT =
      AtomicIntegerFieldUpdater.newUpdater(CountedSlot.class, "count");

  private final SlotGroup group;
  private final int index;
  long address;

  @SuppressWarnings("UnusedVariable") // accessed by COUNT
  private volatile int count;

  private CountedSlot(SlotGroup group, int index) {
    this.group = group;
    this.index = index;
    this.address = group.address(index);
  }

  void reuse() {
    COUNT.lazySet(this, 1);
  }

  boolean release() {
    if (!COUNT.compareAndSet(this, 1, 0)) {
      throw new IllegalStateException("released twice");
    }
    group.release(index);
    return true;
  }
}
