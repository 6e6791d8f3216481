/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.Recorded;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * A composite that records what is done to it and to its views. Each operation makes one check of
 * the live capacity, which is where this class records an access.
 */
final class LeakAwareCompositeByteBuf extends CompositeByteBuf {
  private final Recorded recorded;

  LeakAwareCompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, Recorded recorded) {
    super(alloc, direct, maxNumComponents);
    this.recorded = recorded;
  }

  private void recordCount() {
    ResourceLeakTracker<ByteBuf> tracker = tracker();
    if (tracker != null) {
      recorded.count(tracker);
    }
  }

  @Override
  int liveCapacity() {
    ResourceLeakTracker<ByteBuf> tracker = tracker();
    if (tracker != null) {
      recorded.access(tracker);
    }
    return super.liveCapacity();
  }

  @Override
  ByteBuf retained(ByteBuf view) {
    super.retain();
    return view;
  }

  @Override
  public CompositeByteBuf retain() {
    recordCount();
    return super.retain();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    recordCount();
    return super.retain(increment);
  }

  @Override
  public CompositeByteBuf touch() {
    return touch(null);
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    ResourceLeakTracker<ByteBuf> tracker = tracker();
    if (tracker != null) {
      recorded.touch(tracker, hint);
    }
    return this;
  }

  @Override
  public boolean release() {
    recordCount();
    return super.release();
  }

  @Override
  public boolean release(int decrement) {
    recordCount();
    return super.release(decrement);
  }
}
