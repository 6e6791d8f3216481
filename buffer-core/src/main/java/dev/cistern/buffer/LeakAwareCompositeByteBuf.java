/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.Recorded;
import dev.cistern.util.ResourceLeakTracker;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A composite that records what is done to it, each operation of a buffer once, and to its views
 * (seed rows E5, E6): there it is each look at whether an access is allowed.
 */
final class LeakAwareCompositeByteBuf extends RecordingCompositeByteBuf {
  private final Recorded recorded;

  /**
   * Who has an operation under way, whose steps are not recorded. Several readers may overwrite
   * each other's, and record steps, too; but none ever finds itself here unless it is within one.
   */
  private @Nullable Thread within;

  LeakAwareCompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, Recorded recorded) {
    super(alloc, direct, maxNumComponents);
    this.recorded = recorded;
  }

  private boolean isWithin() {
    return within == Thread.currentThread();
  }

  private void record(Consumer<ResourceLeakTracker<ByteBuf>> what) {
    ResourceLeakTracker<ByteBuf> watching = tracker();
    if (watching != null && !isWithin()) {
      what.accept(watching);
    }
  }

  @Override
  boolean enter() {
    record(recorded::access);
    boolean isOutermost = !isWithin();
    within = Thread.currentThread();
    return isOutermost;
  }

  @Override
  void leave(boolean isOutermost) {
    if (isOutermost) {
      within = null;
    }
  }

  @Override
  int liveCapacity() {
    record(recorded::access);
    return super.liveCapacity();
  }

  @Override
  public CompositeByteBuf retain() {
    record(recorded::count);
    return super.retain();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    record(recorded::count);
    return super.retain(increment);
  }

  @Override
  public CompositeByteBuf touch() {
    return touch(null);
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    record(watching -> recorded.touch(watching, hint));
    return this;
  }

  @Override
  public boolean release() {
    record(recorded::count);
    return super.release();
  }

  @Override
  public boolean release(int decrement) {
    record(recorded::count);
    return super.release(decrement);
  }
}
