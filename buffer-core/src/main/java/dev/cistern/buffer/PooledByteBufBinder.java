/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.pool.SlotBinder;
import dev.cistern.pool.SlotGroup;

/** A binder of pooled buffers to the slots of one pool. */
record PooledByteBufBinder(PooledByteBufAllocator allocator, boolean isDirect)
    implements SlotBinder {
  @Override
  public Object bind(SlotGroup group, int index) {
    return new PooledByteBuf(allocator, group, index);
  }

  /** Tracks the buffer for leaks, unless the detector chooses its own samples. */
  @Override
  public void sampled(Object bound, int requestedBytes, long weightBytes) {
    LeakTracking.trackSample((PooledByteBuf) bound, requestedBytes, weightBytes);
  }

  @Override
  public void exhausted() {
    if (isDirect) {
      OutOfMemoryTasks.run();
    }
  }
}
