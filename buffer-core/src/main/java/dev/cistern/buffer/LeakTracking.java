/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import dev.cistern.util.ResourceLeakDetectorFactory;
import dev.cistern.util.ResourceLeakTracker;
import dev.cistern.util.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Which buffers are watched for leaks (seed rows E1, E3, E7). Allocators ask; buffers know nothing
 * of it, but where they keep what is to be closed at the last release.
 *
 * <p>Pools draw their samples by bytes, which costs an allocation nothing. It is so at level {@code
 * SIMPLE}, unless {@code cistern.leakDetection.samplingInterval} is given, or the level was {@code
 * DISABLED} when the process began. All else is sampled by count, by the detector.
 */
final class LeakTracking {
  static final ResourceLeakDetector<ByteBuf> DETECTOR =
      ResourceLeakDetectorFactory.instance().newResourceLeakDetector(ByteBuf.class);

  /** {@code cistern.leakDetection.acquireAndReleaseOnly}: accesses of memory are not recorded. */
  static final boolean COUNTS_ONLY = Settings.flag("leakDetection.acquireAndReleaseOnly", false);

  private static final long BYTES_PER_SAMPLE = 512 << 10;

  private static final boolean BY_BYTES =
      ResourceLeakDetector.isEnabled() && Settings.text("leakDetection.samplingInterval") == null;

  private LeakTracking() {}

  /** The mean of a pool's byte sampler, 0 for none. */
  static long bytesPerSample() {
    return BY_BYTES ? BYTES_PER_SAMPLE : 0;
  }

  /** Whether what a pool's byte sampler draws is to be watched. */
  static boolean isByBytes() {
    return BY_BYTES && ResourceLeakDetector.getLevel() == Level.SIMPLE;
  }

  /** Whether the detector is to be asked at each allocation of a pool. */
  static boolean isByCount() {
    Level level = ResourceLeakDetector.getLevel();
    return level == Level.SIMPLE ? !BY_BYTES : level != Level.DISABLED;
  }

  private static boolean isRecording() {
    return ResourceLeakDetector.getLevel().compareTo(Level.ADVANCED) >= 0;
  }

  /** Watches a buffer if the detector wants to; returns what is to be handed out. */
  static ByteBuf watch(ByteBuf buffer) {
    ResourceLeakTracker<ByteBuf> tracker = DETECTOR.track(buffer);
    if (tracker == null) {
      return buffer;
    }
    boolean isRecording = isRecording();
    if (buffer instanceof PooledByteBuf pooled) {
      pooled.watchedBy(tracker);
      return isRecording ? new LeakAwareByteBuf(buffer, buffer, tracker, true) : buffer;
    }
    return new LeakAwareByteBuf(buffer, buffer, tracker, isRecording);
  }

  /** Ends the watch of a buffer that is released. */
  static void close(@Nullable ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    if (tracker != null) {
      tracker.close(buffer);
    }
  }
}
