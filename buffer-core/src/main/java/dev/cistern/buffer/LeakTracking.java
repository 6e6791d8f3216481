/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import dev.cistern.util.ResourceLeakDetectorFactory;
import dev.cistern.util.ResourceLeakTracker;
import dev.cistern.util.Settings;
import java.util.concurrent.atomic.AtomicLong;
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

  /** What a watched buffer has recorded, beside its last release. */
  enum Recorded {
    /** Nothing. */
    RELEASE_ONLY,
    /** What changes the count, and {@code touch}. */
    COUNTS,
    /** Each access of the memory, too. */
    ALL;

    void count(ResourceLeakTracker<ByteBuf> tracker, @Nullable Object hint) {
      if (this != RELEASE_ONLY) {
        record(tracker, hint);
      }
    }

    void access(ResourceLeakTracker<ByteBuf> tracker) {
      if (this == ALL) {
        record(tracker, null);
      }
    }

    /** A failure does not keep a buffer from being used, and least of all from being released. */
    private static void record(ResourceLeakTracker<ByteBuf> tracker, @Nullable Object hint) {
      try {
        tracker.record(hint);
      } catch (Throwable failure) {
        countFailure(failure);
      }
    }
  }

  /** With {@code cistern.leakDetection.acquireAndReleaseOnly}, accesses are not recorded. */
  private static final Recorded AT_ADVANCED =
      Settings.flag("leakDetection.acquireAndReleaseOnly", false) ? Recorded.COUNTS : Recorded.ALL;

  private static final long BYTES_PER_SAMPLE = 512 << 10;

  private static final boolean BY_BYTES =
      ResourceLeakDetector.isEnabled() && Settings.text("leakDetection.samplingInterval") == null;

  private static final AtomicLong FAILURES = new AtomicLong();

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

  private static Recorded recorded() {
    return ResourceLeakDetector.getLevel().compareTo(Level.ADVANCED) >= 0
        ? AT_ADVANCED
        : Recorded.RELEASE_ONLY;
  }

  /**
   * Watches a buffer if the detector wants to; returns what is to be handed out. Whatever fails in
   * it, also in a hint or a report of others, the caller gets a buffer: one that nobody got would
   * never be released.
   */
  static ByteBuf watch(ByteBuf buffer) {
    ResourceLeakTracker<ByteBuf> tracker = trackerOf(buffer);
    if (tracker == null) {
      return buffer;
    }
    try {
      return watched(buffer, tracker);
    } catch (Throwable failure) {
      countFailure(failure);
      if (!(buffer instanceof PooledByteBuf)) { // that ends the watch itself
        closeQuietly(tracker, buffer);
      }
      return buffer;
    }
  }

  private static @Nullable ResourceLeakTracker<ByteBuf> trackerOf(ByteBuf buffer) {
    try {
      return DETECTOR.track(buffer);
    } catch (Throwable failure) {
      countFailure(failure);
      return null;
    }
  }

  private static ByteBuf watched(ByteBuf buffer, ResourceLeakTracker<ByteBuf> tracker) {
    Recorded recorded = recorded();
    if (buffer instanceof PooledByteBuf pooled) {
      pooled.watchedBy(tracker);
      if (recorded == Recorded.RELEASE_ONLY) {
        return buffer; // it ends the watch itself
      }
    }
    return new LeakAwareByteBuf(buffer, buffer, tracker, recorded);
  }

  /** Watches a composite if the detector wants to; only its last release is noted. */
  static CompositeByteBuf watch(CompositeByteBuf buffer) {
    ResourceLeakTracker<ByteBuf> tracker = trackerOf(buffer);
    if (tracker != null) {
      buffer.watchedBy(tracker);
    }
    return buffer;
  }

  /** A new composite, which is watched, and records what is done to it, as the level says. */
  static CompositeByteBuf composite(ByteBufAllocator alloc, boolean direct, int maxNumComponents) {
    Recorded recorded = recorded();
    return watch(
        recorded == Recorded.RELEASE_ONLY
            ? new CompositeByteBuf(alloc, direct, maxNumComponents)
            : new LeakAwareCompositeByteBuf(alloc, direct, maxNumComponents, recorded));
  }

  /** Watches a buffer whatever the level, unless that fails. */
  static void watchForcibly(PooledByteBuf buffer) {
    try {
      buffer.watchedBy(DETECTOR.trackForcibly(buffer));
    } catch (Throwable failure) {
      countFailure(failure);
    }
  }

  /** Ends a watch where a failure must not reach the caller. */
  static void closeQuietly(ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    try {
      tracker.close(buffer);
    } catch (Throwable failure) {
      countFailure(failure);
    }
  }

  /** Counts what watching failed of; the first is logged. */
  private static void countFailure(Throwable failure) {
    if (FAILURES.getAndIncrement() > 0) {
      return;
    }
    try {
      System.getLogger(LeakTracking.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a buffer could not be watched for leaks, and is used without; logged once",
              failure);
    } catch (Throwable unlogged) {
      return; // it is counted
    }
  }

  /** How often watching a buffer failed. */
  static long failures() {
    return FAILURES.get();
  }

  /** Ends the watch of a buffer that is released; a failure does not keep its memory. */
  static void close(@Nullable ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    if (tracker != null) {
      closeQuietly(tracker, buffer);
    }
  }
}
