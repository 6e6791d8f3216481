/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * Another buffer, watched for being leaked: each operation is recorded once, and the last release
 * ends the watch (seed rows E3, E5). Its views are watched with it (seed row E6).
 */
final class LeakAwareByteBuf extends DelegatingByteBuf {
  private final ByteBuf watched;
  private final ResourceLeakTracker<ByteBuf> tracker;
  private final boolean isRecording;

  /**
   * @param watched what the tracker watches: the target, or what that is a view of
   * @param isRecording false to note the last release only
   */
  LeakAwareByteBuf(
      ByteBuf target, ByteBuf watched, ResourceLeakTracker<ByteBuf> tracker, boolean isRecording) {
    super(target);
    this.watched = watched;
    this.tracker = tracker;
    this.isRecording = isRecording;
  }

  @Override
  ByteBuf memory() {
    if (isRecording && !LeakTracking.COUNTS_ONLY) {
      tracker.record();
    }
    return target;
  }

  private void recordCount() {
    if (isRecording) {
      tracker.record();
    }
  }

  @Override
  ByteBuf derived(ByteBuf view) {
    return new LeakAwareByteBuf(view, watched, tracker, isRecording);
  }

  @Override
  public ByteBuf retain() {
    recordCount();
    return super.retain();
  }

  @Override
  public ByteBuf retain(int increment) {
    recordCount();
    return super.retain(increment);
  }

  @Override
  public ByteBuf touch() {
    recordCount();
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    if (isRecording) {
      tracker.record(hint);
    }
    return this;
  }

  @Override
  public boolean release() {
    recordCount();
    return closeIf(target.release());
  }

  @Override
  public boolean release(int decrement) {
    recordCount();
    return closeIf(target.release(decrement));
  }

  private boolean closeIf(boolean isReleased) {
    if (isReleased) {
      tracker.close(watched);
    }
    return isReleased;
  }
}
