/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.RecordingLevel;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * A wrapper that records each operation on its target once, for leak detection. The last release
 * ends the tracking. Its views also record operations.
 */
final class LeakAwareByteBuf extends ForwardingByteBuf {
  private final ByteBuf watched;
  private final ResourceLeakTracker<ByteBuf> tracker;
  private final RecordingLevel recorded;

  /**
   * @param watched the buffer that the tracker watches: the target, or the buffer below that view
   */
  LeakAwareByteBuf(
      ByteBuf target,
      ByteBuf watched,
      ResourceLeakTracker<ByteBuf> tracker,
      RecordingLevel recorded) {
    super(target);
    this.watched = watched;
    this.tracker = tracker;
    this.recorded = recorded;
  }

  @Override
  ByteBuf accessed() {
    recorded.access(tracker);
    return target;
  }

  @Override
  ByteBuf derived(ByteBuf view) {
    return new LeakAwareByteBuf(view, watched, tracker, recorded);
  }

  @Override
  public ByteBuf retain() {
    recorded.count(tracker);
    return super.retain();
  }

  @Override
  public ByteBuf retain(int increment) {
    recorded.count(tracker);
    return super.retain(increment);
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    recorded.touch(tracker, hint);
    return this;
  }

  @Override
  public boolean release() {
    recorded.count(tracker);
    return closeIf(target.release());
  }

  @Override
  public boolean release(int decrement) {
    recorded.count(tracker);
    return closeIf(target.release(decrement));
  }

  /** Ends the tracking after the last release. */
  private boolean closeIf(boolean isReleased) {
    if (isReleased) {
      LeakTracking.close(tracker, watched);
    }
    return isReleased;
  }
}
