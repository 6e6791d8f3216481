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
 * The choice of the buffers that are tracked for leaks, and their trackers.
 *
 * <p>At the simple level, unless a sampling interval is given, a pool samples by bytes, which costs
 * nothing for an allocation outside the sample. Otherwise the sample counts buffers. A tracked
 * pooled buffer is unbound from its slot, which would keep it reachable. From the advanced level
 * on, a wrapper records the operations on it.
 */
final class LeakTracking {
  /** The detector of this library, unless a custom factory returns another one. */
  static final ResourceLeakDetector<ByteBuf> DETECTOR = detector();

  private LeakTracking() {}

  private static ResourceLeakDetector<ByteBuf> detector() {
    ResourceLeakDetector<ByteBuf> made =
        ResourceLeakDetectorFactory.instance().newResourceLeakDetector(ByteBuf.class);
    return made.getClass() == ResourceLeakDetector.class ? BufferLeakDetector.INSTANCE : made;
  }

  /**
   * Tracks a buffer if it is in the sample; returns the buffer or a wrapper for the caller. The
   * caller gets a buffer even if tracking fails, for example in a hint or report of user code.
   * Otherwise the buffer would never be released.
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
          return buffer; // the buffer ends the tracking
        }
      }
      return new LeakAwareByteBuf(buffer, buffer, tracker, recorded);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
      if (!(buffer instanceof PooledByteBuf)) { // a pooled buffer ends the tracking
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

  /** Tracks a composite if it is in the sample; its last release ends the tracking. */
  static CompositeByteBuf watch(CompositeByteBuf buffer) {
    buffer.tracker = trackerOf(buffer);
    return buffer;
  }

  /** Returns a new composite, which is tracked and records operations according to the level. */
  static CompositeByteBuf composite(ByteBufAllocator alloc, boolean direct, int maxNumComponents) {
    RecordingLevel recorded = LeakSettings.recordingLevel();
    return watch(
        recorded == RecordingLevel.RELEASE_ONLY
            ? new CompositeByteBuf(alloc, direct, maxNumComponents)
            : new LeakAwareCompositeByteBuf(alloc, direct, maxNumComponents, recorded));
  }

  /** Tracks a pooled buffer that the sampler by bytes chose. */
  static void trackSample(PooledByteBuf buffer, int requestedBytes, long weightBytes) {
    boolean isLibraryDetector = DETECTOR == BufferLeakDetector.INSTANCE;
    if (LeakSettings.isByBytes() && (isLibraryDetector || !LeakSettings.isByCount())) {
      String memory = BufferLeakDetector.memory(buffer);
      int slotBytes = buffer.slotBytes();
      Sample sample = Sample.byBytes(memory, Sample.POOLED, requestedBytes, slotBytes, weightBytes);
      LibraryLeaks leaks = BufferLeakDetector.LEAKS;
      buffer.setTracker(
          isLibraryDetector ? leaks.track(buffer, sample) : DETECTOR.trackForcibly(buffer));
    }
  }

  /**
   * Tracks a buffer that moved to the slot of another buffer, because the sampler chose the new
   * slot. A failure leaves the buffer untracked.
   */
  static void trackMoved(PooledByteBuf buffer, ResourceLeakTracker<ByteBuf> sampled) {
    try {
      buffer.setTracker(
          sampled instanceof LeakTracker<ByteBuf> own
              ? BufferLeakDetector.LEAKS.track(buffer, own.sample().continued())
              : DETECTOR.trackForcibly(buffer));
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Ends the tracking of a buffer by a tracker that another one replaces. */
  static void replace(ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    if (tracker instanceof LeakTracker<ByteBuf> own) {
      try {
        own.forget(buffer);
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
    } else {
      close(tracker, buffer);
    }
  }

  /**
   * Ends the tracking of a released buffer. A failure does not prevent the release of its memory.
   */
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
