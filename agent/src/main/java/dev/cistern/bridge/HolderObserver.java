/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.WatchFailures;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.NettyLeakDetector;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternHolders;
import io.netty.buffer.CompositeByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The observer of the holders of sampled buffers: the objects that received them, and their slices.
 * A hint costs a read of the number of live samples, which usually is 0. If there are samples, a
 * buffer that is not sampled costs a check of its class, and one load of a field or of the filter
 * of samples.
 */
final class HolderObserver extends CisternHolders {
  private static final HolderObserver INSTANCE = new HolderObserver();

  static void turn(boolean on) {
    watching(on ? INSTANCE : null);
  }

  static boolean isUsed(Object derived, Object root, int length) {
    return isInUse(derived, root, length);
  }

  /** Limit of nested views. */
  private static final int MAX_DEPTH = 8;

  private static boolean hasSamples() {
    return NettyLeakDetector.DETECTOR.watched() > 0;
  }

  /** Returns the tracker of a sampled buffer, or null. */
  private static @Nullable LeakTracker<?> tracker(Object root) {
    return root instanceof CisternByteBuf served ? served.tracker() : Observation.tracker(root);
  }

  /** Returns the tracker of the sampled buffer whose memory a buffer covers, or null. */
  private static @Nullable LeakTracker<?> trackerBelow(ByteBuf buffer) {
    ByteBuf below = buffer;
    for (int depth = 0; below != null && depth < MAX_DEPTH; depth++) {
      LeakTracker<?> tracker = tracker(below);
      if (tracker != null || below instanceof CisternByteBuf) {
        return tracker;
      }
      below = below.unwrap();
    }
    return null;
  }

  @Override
  protected void compositeTouched(CompositeByteBuf buffer, Object hint) {
    if (hasSamples()) {
      CompositeParts.visit(buffer, part -> partTouched(part, hint));
    }
  }

  private static void partTouched(ByteBuf part, Object hint) {
    LeakTracker<?> tracker = trackerBelow(part);
    if (tracker != null) {
      NettyLeakDetector.record(tracker, hint);
    }
  }

  @Override
  protected void bufferTouched(ByteBuf buffer, Object hint) {
    LeakTracker<?> tracker = hasSamples() ? tracker(buffer) : null;
    if (tracker != null) {
      NettyLeakDetector.record(tracker, hint);
    }
  }

  @Override
  protected void counted(Object derived, ByteBuf root, ByteBuf parent, int length) {
    LeakTracker<?> tracker = hasSamples() ? tracker(root) : null;
    if (tracker != null) {
      slices(tracker).addCounted(derived, root, parent, length);
    }
  }

  @Override
  protected void uncounted(ByteBuf slice, ByteBuf root) {
    LeakTracker<?> tracker = hasSamples() ? tracker(root) : null;
    if (tracker != null) {
      slices(tracker).addUncounted(slice, root, slice.capacity());
    }
  }

  private static SliceList slices(LeakTracker<?> tracker) {
    return (SliceList) tracker.pins(SliceList::new);
  }

  @Override
  protected void failed(Throwable failure) {
    WatchFailures.add(failure);
  }
}
