/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakSettings;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.RecordingLevel;
import dev.cistern.leak.Sample;
import dev.cistern.leak.WatchFailures;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetectorFactory;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * Which buffers are watched for leaks, and how.
 *
 * <p>A pool draws its samples by bytes, which an allocation that is not drawn pays nothing for: so
 * it is at the simple level, unless a sampling interval is given. Otherwise buffers are counted. A
 * watched pooled buffer has left its slot, which would keep it alive, and from the advanced level
 * on a wrapper records what is done to it.
 */
final class LeakTracking {
  /** Ours, unless the factory was told to make another. */
  static final ResourceLeakDetector<ByteBuf> DETECTOR = detector();

  private LeakTracking() {}

  private static ResourceLeakDetector<ByteBuf> detector() {
    ResourceLeakDetector<ByteBuf> made =
        ResourceLeakDetectorFactory.instance().newResourceLeakDetector(ByteBuf.class);
    return made.getClass() == ResourceLeakDetector.class ? BufferLeakDetector.INSTANCE : made;
  }

  /**
   * Watches a buffer if it is in the sample; returns what is to be handed out. Whatever fails in
   * it, also in a hint or a report of others, the caller gets a buffer: one that nobody got would
   * never be released.
   */
  static ByteBuf watch(ByteBuf buffer) {
    ResourceLeakTracker<ByteBuf> tracker = trackerOf(buffer);
    if (tracker == null) {
      return buffer;
    }
    try {
      RecordingLevel recorded = LeakSettings.recordingLevel();
      if (buffer instanceof PooledByteBuf pooled) {
        pooled.setTracker(tracker);
        if (recorded == RecordingLevel.RELEASE_ONLY) {
          return buffer; // it ends the watch itself
        }
      }
      return new LeakAwareByteBuf(buffer, buffer, tracker, recorded);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
      if (!(buffer instanceof PooledByteBuf)) { // that ends the watch itself
        close(tracker, buffer);
      }
      return buffer;
    }
  }

  private static @Nullable ResourceLeakTracker<ByteBuf> trackerOf(ByteBuf buffer) {
    try {
      boolean isCounted = LeakSettings.isByCount() || DETECTOR != BufferLeakDetector.INSTANCE;
      ResourceLeakTracker<ByteBuf> counted = isCounted ? DETECTOR.track(buffer) : null;
      return counted == null ? BufferLeakDetector.trackByBytes(buffer) : counted;
    } catch (Throwable failure) {
      WatchFailures.add(failure);
      return null;
    }
  }

  /** Watches a composite if it is in the sample; only its last release is noted. */
  static CompositeByteBuf watch(CompositeByteBuf buffer) {
    buffer.tracker = trackerOf(buffer);
    return buffer;
  }

  /** A new composite, which is watched, and records what is done to it, as the level says. */
  static CompositeByteBuf composite(ByteBufAllocator alloc, boolean direct, int maxNumComponents) {
    RecordingLevel recorded = LeakSettings.recordingLevel();
    return watch(
        recorded == RecordingLevel.RELEASE_ONLY
            ? new CompositeByteBuf(alloc, direct, maxNumComponents)
            : new LeakAwareCompositeByteBuf(alloc, direct, maxNumComponents, recorded));
  }

  /** Watches a buffer that a pool has drawn by its bytes. */
  static void watchDrawn(PooledByteBuf buffer, int requestedBytes, long weightBytes) {
    boolean isOurs = DETECTOR == BufferLeakDetector.INSTANCE;
    if (LeakSettings.isByBytes() && (isOurs || !LeakSettings.isByCount())) {
      String memory = BufferLeakDetector.memory(buffer);
      int slotBytes = buffer.slotBytes();
      Sample sample = Sample.byBytes(memory, Sample.POOLED, requestedBytes, slotBytes, weightBytes);
      LibraryLeaks leaks = BufferLeakDetector.LEAKS;
      buffer.setTracker(isOurs ? leaks.track(buffer, sample) : DETECTOR.trackForcibly(buffer));
    }
  }

  /**
   * Goes on watching a buffer that has moved to where another lay, which was drawn for that; unless
   * that fails.
   */
  static void watchInstead(PooledByteBuf buffer, ResourceLeakTracker<ByteBuf> drawn) {
    try {
      buffer.setTracker(
          drawn instanceof LeakTracker<ByteBuf> ours
              ? BufferLeakDetector.LEAKS.track(buffer, ours.sample().continued())
              : DETECTOR.trackForcibly(buffer));
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Ends the watch of a buffer that another tracker watches from now on. */
  static void replace(ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    if (tracker instanceof LeakTracker<ByteBuf> ours) {
      try {
        ours.forget(buffer);
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
    } else {
      close(tracker, buffer);
    }
  }

  /** Ends the watch of a buffer that is released; a failure does not keep its memory. */
  static void close(@Nullable ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    if (tracker != null) {
      try {
        tracker.close(buffer);
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
    }
  }
}
