/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakReport;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.LiveReport;
import dev.cistern.leak.Sample;
import dev.cistern.leak.StackDetail;
import dev.cistern.leak.WatchFailures;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakHint;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The leak detector of this copy of Netty, for both kinds of memory, and which buffers it watches.
 *
 * <p>The level in force is the agent's setting, or that of Netty's own detector where that is
 * advanced or paranoid. At the simple level it watches the samples that the pools draw by their
 * bytes, which costs an allocation that is not drawn nothing.
 */
final class Leaks {
  static final LeakDetector DETECTOR =
      new LeakDetector(
          BridgeSettings.current().poolName(),
          new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, Leaks::print),
          new LeakDetector.Options(
              LeakDetector.DEFAULT_MAX_WATCHED,
              frame -> false,
              Leaks::hintText,
              LeakDetector.DEFAULT_BURST_NANOS));

  /** Accesses of a buffer that are kept, the last ones: as many as Netty's own target. */
  private static final int RECORDS = 4;

  private static final WatchLevel SET_LEVEL = BridgeSettings.current().leakLevel();

  /** One in so many buffers is watched where they are counted. */
  private static final int INTERVAL = BridgeSettings.current().countInterval();

  private static final boolean IS_COUNT_GIVEN = BridgeSettings.current().isCountGiven();

  /** The interval of Netty's own detector, whose property is renamed with the copy. */
  private static final int HOST_INTERVAL =
      Math.max(
          1,
          Integer.getInteger(
              BridgeSettings.current().poolName() + ".leakDetection.samplingInterval",
              BridgeSettings.DEFAULT_COUNT_INTERVAL));

  /** Whether allocations are drawn that neither a pool's sampler nor Netty's detector drew. */
  static final boolean DRAWS_ITSELF =
      SET_LEVEL.isAtLeast(WatchLevel.ADVANCED)
          || (SET_LEVEL == WatchLevel.SIMPLE && IS_COUNT_GIVEN);

  private Leaks() {}

  /** As an error in the host's own log, which is the one that is read; on stderr if that fails. */
  private static void print(String line) {
    try {
      InternalLoggerFactory.getInstance("dev.cistern.leak").error(line);
    } catch (RuntimeException | LinkageError noLog) {
      System.err.println("cistern: " + line);
    }
  }

  /** Some of Netty's hints say themselves how they are to be named. */
  private static String hintText(Object hint) {
    return hint instanceof ResourceLeakHint named ? named.toHintString() : hint.toString();
  }

  /** The level in force. */
  static WatchLevel level() {
    WatchLevel host = hostLevel();
    return isLevelOfHost(host) ? host : SET_LEVEL;
  }

  /** That of Netty's own detector; what is below advanced is its own affair. */
  private static WatchLevel hostLevel() {
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    if (level == ResourceLeakDetector.Level.PARANOID) {
      return WatchLevel.PARANOID;
    }
    return level == ResourceLeakDetector.Level.ADVANCED ? WatchLevel.ADVANCED : WatchLevel.DISABLED;
  }

  /** Whether it is Netty's own level that is in force. */
  private static boolean isLevelOfHost(WatchLevel host) {
    return host.isAtLeast(WatchLevel.ADVANCED) && host.isAtLeast(SET_LEVEL);
  }

  static boolean isParanoid() {
    return level() == WatchLevel.PARANOID;
  }

  /** Whether a buffer that a pool has drawn by its bytes is to be watched. */
  private static boolean isByBytes() {
    return switch (level()) {
      case DISABLED, PARANOID -> false; // there each buffer is watched, and counts for itself
      case SIMPLE -> !IS_COUNT_GIVEN;
      case ADVANCED -> true;
    };
  }

  /** Watches a buffer that a pool has drawn by its bytes. */
  static void watchDrawn(BridgeBuf buffer, int requestedBytes, long weightBytes) {
    if (!isByBytes()) {
      return;
    }
    Sample sample =
        Sample.byBytes(
            buffer.memory(), Sample.POOLED, requestedBytes, buffer.slotBytes(), weightBytes);
    watch(buffer, weighed(sample, level()));
  }

  /** Watches a buffer in the place of one that was drawn; a failure leaves it unwatched. */
  static void watch(BridgeBuf buffer, Sample sample) {
    try {
      buffer.watchedBy(DETECTOR.track(buffer, sample));
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Ends a watch; a failure does not keep the buffer's memory. */
  static <T> void close(LeakTracker<T> tracker, T buffer) {
    try {
      tracker.close(buffer);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Whether a buffer that Netty's detector drew, or did not, is to be watched by ours too. */
  static boolean isDrawn(boolean isDrawnByHost) {
    if (isLevelOfHost(hostLevel())) {
      return isDrawnByHost;
    }
    return switch (SET_LEVEL) {
      case DISABLED -> false;
      case SIMPLE -> IS_COUNT_GIVEN && isCountedOut();
      case ADVANCED -> isCountedOut();
      case PARANOID -> true;
    };
  }

  /** By chance, as Netty's: a count would be in step with what an application does in turns. */
  private static boolean isCountedOut() {
    return ThreadLocalRandom.current().nextInt(INTERVAL) == 0;
  }

  /**
   * Watches a buffer that was drawn, in the place of what the pool's sampler may have drawn, and
   * keeps what is done to it where the level says so.
   */
  static LeakTracker<BridgeBuf> watchCounted(BridgeBuf buffer) {
    WatchLevel level = level();
    Sample counted =
        Sample.byCount(
                buffer.memory(),
                Sample.POOLED,
                buffer.capacity(),
                buffer.slotBytes(),
                interval(level))
            .alsoLive(buffer.endDrawn());
    Sample sample = weighed(counted, level);
    buffer.leaveSlot();
    boolean isTraced = level.isAtLeast(WatchLevel.ADVANCED) && HostFeatures.LEAK_AWARE;
    LeakTracker<BridgeBuf> tracker = DETECTOR.track(buffer, sample, isTraced ? RECORDS : 0);
    buffer.watchedBy(tracker);
    return tracker;
  }

  /** One in so many buffers is counted out. */
  private static int interval(WatchLevel level) {
    return switch (level) {
      case PARANOID -> 1;
      case ADVANCED -> isLevelOfHost(hostLevel()) ? HOST_INTERVAL : INTERVAL;
      default -> INTERVAL;
    };
  }

  /** What leaks weigh where buffers are drawn in two ways. */
  private static Sample weighed(Sample sample, WatchLevel level) {
    return level == WatchLevel.ADVANCED
        ? sample.drawnTwoWays(BridgeSettings.current().sampleIntervalBytes(), interval(level))
        : sample;
  }

  static LeakReport report(StackDetail detail) {
    return DETECTOR.report(level().label(), WatchFailures.count(), detail);
  }

  static LiveReport live(StackDetail detail) {
    return DETECTOR.live(BridgeSettings.current().sampleIntervalBytes(), detail);
  }
}
