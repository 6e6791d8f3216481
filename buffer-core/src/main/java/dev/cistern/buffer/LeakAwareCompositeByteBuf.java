/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.buffer.LeakTracking.Recorded;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * A composite that records what is done to it, and to its views (seed rows E5, E6): each look at
 * whether an access is allowed, which most operations take once.
 */
final class LeakAwareCompositeByteBuf extends CompositeByteBuf {
  private final Recorded recorded;

  LeakAwareCompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, Recorded recorded) {
    super(alloc, direct, maxNumComponents);
    this.recorded = recorded;
  }

  private void recordCount(@Nullable Object hint) {
    ResourceLeakTracker<ByteBuf> watching = tracker();
    if (watching != null) {
      recorded.count(watching, hint);
    }
  }

  @Override
  int liveCapacity() {
    ResourceLeakTracker<ByteBuf> watching = tracker();
    if (watching != null) {
      recorded.access(watching);
    }
    return super.liveCapacity();
  }

  @Override
  public CompositeByteBuf retain() {
    recordCount(null);
    return super.retain();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    recordCount(null);
    return super.retain(increment);
  }

  @Override
  public CompositeByteBuf touch() {
    return touch(null);
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    recordCount(hint);
    return this;
  }

  @Override
  public boolean release() {
    recordCount(null);
    return super.release();
  }

  @Override
  public boolean release(int decrement) {
    recordCount(null);
    return super.release(decrement);
  }
}
