/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakSettings;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.Sample;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/** The leak detector of this library's buffers, of all allocators together. */
final class BufferLeakDetector extends ResourceLeakDetector<ByteBuf> {
  static final BufferLeakDetector INSTANCE = new BufferLeakDetector();
  static final LibraryLeaks LEAKS = LibraryLeaks.SHARED;

  private BufferLeakDetector() {
    super(ByteBuf.class, LeakSettings.SAMPLING_INTERVAL);
  }

  static String memory(ByteBuf buffer) {
    return buffer.isDirect() ? "direct" : "heap";
  }

  /**
   * Returns the weight of a buffer in the sample by bytes, or 0. A pool has already sampled its own
   * buffers, and a composite has no bytes of its own.
   */
  private static long weigh(ByteBuf buffer) {
    boolean isUnpooled = !(buffer instanceof CompositeByteBuf || buffer instanceof PooledByteBuf);
    return isUnpooled && LeakTracking.DETECTOR == INSTANCE ? LEAKS.weigh(buffer.capacity()) : 0;
  }

  /** Tracks a buffer without a slot if the sampler by bytes chooses it; otherwise returns null. */
  static @Nullable LeakTracker<ByteBuf> trackByBytes(ByteBuf buffer) {
    long weight = weigh(buffer);
    return weight == 0
        ? null
        : LEAKS.track(
            buffer, Sample.byBytes(memory(buffer), Sample.UNPOOLED, buffer.capacity(), 0, weight));
  }

  /** Tracks a buffer of the sample by count, or any buffer at the paranoid level. */
  @Override
  public ResourceLeakTracker<ByteBuf> trackForcibly(ByteBuf buffer) {
    int interval = LeakSettings.isParanoid() ? 1 : LeakSettings.SAMPLING_INTERVAL;
    int bytes = buffer.capacity();
    String kind = buffer instanceof CompositeByteBuf ? Sample.COMPOSITE : Sample.UNPOOLED;
    Sample sample = Sample.byCount(memory(buffer), kind, bytes, 0, interval);
    if (buffer instanceof PooledByteBuf pooled) {
      sample = Sample.byCount(memory(buffer), Sample.POOLED, bytes, pooled.slotBytes(), interval);
      return LEAKS.track(buffer, sample.continuing(pooled.replaceSample()));
    }
    return LEAKS.track(buffer, sample.alsoLive(weigh(buffer)));
  }

  @Override
  public void setLeakListener(@Nullable LeakListener leakListener) {
    LEAKS.listener(leakListener);
  }
}
