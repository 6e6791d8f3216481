/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ResourceLeakTracker;

/** Buffers that record each access at any level of leak detection. */
final class LeakAwareBuffers {
  private enum Forgetful implements ResourceLeakTracker<ByteBuf> {
    TRACKER;

    @Override
    public void record() {}

    @Override
    public void record(Object hint) {}

    @Override
    public boolean close(ByteBuf trackedObject) {
      return true;
    }
  }

  private LeakAwareBuffers() {}

  /** Returns a composite that records each access. */
  static CompositeByteBuf composite(ByteBufAllocator alloc, boolean direct, int maxNumComponents) {
    CompositeByteBuf composite =
        new LeakAwareCompositeByteBuf(
            alloc, direct, maxNumComponents, dev.cistern.leak.RecordingLevel.ALL);
    composite.tracker = Forgetful.TRACKER;
    return composite;
  }

  static ByteBuf of(ByteBuf buffer) {
    return new LeakAwareByteBuf(
        buffer, buffer, Forgetful.TRACKER, dev.cistern.leak.RecordingLevel.ALL);
  }
}
