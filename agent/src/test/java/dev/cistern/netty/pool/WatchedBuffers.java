/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;

/**
 * Buffers that are watched as at Cistern's paranoid level, at any level of Netty's own detector.
 */
public final class WatchedBuffers {
  private static final int ACCESSES = 4;

  private WatchedBuffers() {}

  /** Allocates a buffer as the bridge does. */
  public static ByteBuf allocate(PoolHooks hooks, AbstractByteBufAllocator allocator, int bytes) {
    CisternByteBuf buffer = NettyPools.bareDirect(allocator, bytes, 1 << 20);
    ByteBuf seen = hooks.leakAware(buffer);
    buffer.leaveSlot();
    long drawn = buffer.replaceSample(); // otherwise the sampler's tracker would report a leak
    Sample sample =
        Sample.byCount(buffer.memory(), Sample.POOLED, bytes, buffer.slotBytes(), 1)
            .continuing(drawn);
    LeakTracker<CisternByteBuf> tracker =
        NettyLeakDetector.DETECTOR.track(buffer, sample, ACCESSES);
    buffer.setTracker(tracker);
    return hooks.recorded(buffer, seen, tracker);
  }
}
