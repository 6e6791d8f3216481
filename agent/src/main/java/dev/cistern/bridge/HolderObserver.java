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
 * Records who holds the sampled buffers: what they were passed to, and their slices. A buffer that
 * is no sample costs a look at its class, and one load of a field or of the filter of samples.
 */
final class HolderObserver extends CisternHolders {
  private static final HolderObserver INSTANCE = new HolderObserver();

  static void turn(boolean on) {
    watching(on ? INSTANCE : null);
  }

  static boolean isUsed(Object derived, Object root, int length) {
    return isInUse(derived, root, length);
  }

  /** Returns the tracker of a sampled buffer, or null. */
  private static @Nullable LeakTracker<?> tracker(Object root) {
    return root instanceof CisternByteBuf served ? served.tracker() : Observation.tracker(root);
  }

  @Override
  protected void touchedAll(CompositeByteBuf buffer, Object hint) {
    for (ByteBuf part : CompositeParts.of(buffer)) {
      ByteBuf unused = part.touch(hint);
    }
  }

  @Override
  protected void touchedRoot(ByteBuf buffer, Object hint) {
    LeakTracker<?> tracker = tracker(buffer);
    if (tracker != null) {
      NettyLeakDetector.record(tracker, hint);
    }
  }

  @Override
  protected void counted(Object derived, ByteBuf root, ByteBuf parent, int length) {
    LeakTracker<?> tracker = tracker(root);
    if (tracker != null) {
      slices(tracker).addCounted(derived, root, parent, length);
    }
  }

  @Override
  protected void uncounted(Object slice, ByteBuf root, int length) {
    LeakTracker<?> tracker = tracker(root);
    if (tracker != null) {
      slices(tracker).addUncounted(slice, root, length);
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
