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
  static final LibraryLeaks LEAKS = new LibraryLeaks(ResourceLeakDetector::isNoise);

  private BufferLeakDetector() {
    super(ByteBuf.class, LeakSettings.SAMPLING_INTERVAL);
  }

  static String memory(ByteBuf buffer) {
    return buffer.isDirect() ? "direct" : "heap";
  }

  /** Watches a buffer without a slot if it is drawn; a composite has no bytes of its own. */
  static @Nullable LeakTracker<ByteBuf> trackByBytes(ByteBuf buffer) {
    long weight = buffer instanceof CompositeByteBuf ? 0 : LEAKS.weigh(buffer.capacity());
    return weight == 0
        ? null
        : LEAKS.track(
            buffer, Sample.byBytes(memory(buffer), Sample.UNPOOLED, buffer.capacity(), 0, weight));
  }

  /** Watches a buffer that was counted out, or each at the paranoid level. */
  @Override
  public ResourceLeakTracker<ByteBuf> trackForcibly(ByteBuf buffer) {
    int interval = LeakSettings.isParanoid() ? 1 : LeakSettings.SAMPLING_INTERVAL;
    if (buffer instanceof PooledByteBuf pooled) {
      Sample sample =
          Sample.byCount(
              memory(buffer), Sample.POOLED, buffer.capacity(), pooled.slotBytes(), interval);
      return LEAKS.track(buffer, sample.alsoLive(pooled.endDrawn()));
    }
    String kind = buffer instanceof CompositeByteBuf ? Sample.COMPOSITE : Sample.UNPOOLED;
    return LEAKS.track(
        buffer, Sample.byCount(memory(buffer), kind, buffer.capacity(), 0, interval));
  }

  @Override
  public void setLeakListener(@Nullable LeakListener leakListener) {
    LEAKS.listener(leakListener);
  }
}
