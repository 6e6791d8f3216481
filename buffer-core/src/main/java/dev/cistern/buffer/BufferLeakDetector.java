/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.ByteSampler;
import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakPatrol;
import dev.cistern.leak.LeakRecord;
import dev.cistern.leak.LeakSettings;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Recorded;
import dev.cistern.leak.Sample;
import dev.cistern.leak.ThreadSampler;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/** The leak detector of this library's buffers, of all allocators together. */
final class BufferLeakDetector extends ResourceLeakDetector<ByteBuf> {
  static final BufferLeakDetector INSTANCE = new BufferLeakDetector();

  private static final String POOL = "dev.cistern";
  private static final ByteSampler.Sampling SAMPLING =
      new ByteSampler.Sampling(LeakSettings.INTERVAL_BYTES);
  private static final ThreadSampler SAMPLER = new ThreadSampler(SAMPLING);
  private static final LeakDetector DETECTOR =
      new LeakDetector(
          POOL,
          new LeakStore(
              LeakStore.DEFAULT_MAX_ENTRIES, BufferLeakDetector::log, BufferLeakDetector::tell),
          LeakSettings.MAX_WATCHED,
          ResourceLeakDetector::isNoise);
  private static final LeakPatrol PATROL = new LeakPatrol(DETECTOR);

  private volatile @Nullable LeakListener listener;

  private BufferLeakDetector() {
    super(ByteBuf.class, LeakSettings.SAMPLING_INTERVAL);
  }

  static LeakDetector leaks() {
    return DETECTOR;
  }

  static String memory(ByteBuf buffer) {
    return buffer.isDirect() ? "direct" : "heap";
  }

  static LeakTracker<ByteBuf> track(ByteBuf buffer, Sample sample) {
    int records = LeakSettings.recorded() == Recorded.RELEASE_ONLY ? 0 : LeakSettings.RECORDS;
    LeakTracker<ByteBuf> tracker = DETECTOR.track(buffer, sample, records);
    PATROL.wake();
    return tracker;
  }

  /** Watches a buffer without a slot if it is drawn; a composite has no bytes of its own. */
  static @Nullable LeakTracker<ByteBuf> trackByBytes(ByteBuf buffer) {
    if (!LeakSettings.isByBytes() || buffer instanceof CompositeByteBuf) {
      return null;
    }
    long weight = SAMPLER.weigh(buffer.capacity());
    return weight == 0
        ? null
        : track(
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
      return track(buffer, sample.alsoLive(pooled.endDrawn()));
    }
    String kind = buffer instanceof CompositeByteBuf ? Sample.COMPOSITE : Sample.UNPOOLED;
    return track(buffer, Sample.byCount(memory(buffer), kind, buffer.capacity(), 0, interval));
  }

  @Override
  public void setLeakListener(@Nullable LeakListener leakListener) {
    listener = leakListener;
  }

  private static void log(String line) {
    System.getLogger(ResourceLeakDetector.class.getName()).log(System.Logger.Level.ERROR, line);
  }

  private static void tell(LeakRecord leak) {
    LeakListener told = INSTANCE.listener;
    if (told != null) {
      told.onLeak("ByteBuf", leak.toText());
    }
  }
}
