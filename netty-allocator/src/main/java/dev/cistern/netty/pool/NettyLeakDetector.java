/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.ChunkPart;
import dev.cistern.leak.ChunkUse;
import dev.cistern.leak.Holder;
import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import dev.cistern.leak.WatchFailures;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakHint;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The leak detector of this copy of Netty for both kinds of memory, and the selection of the
 * buffers that it watches.
 *
 * <p>The level in force is the setting, or the level of Netty's own detector if that is advanced or
 * paranoid. At the simple level it watches the samples that the pools select by bytes; this costs
 * other allocations nothing.
 */
public final class NettyLeakDetector {
  private static final NettyPoolSettings.LeakLimits LIMITS =
      NettyPoolSettings.current().leakLimits();

  /** The detector. */
  public static final LeakDetector DETECTOR =
      new LeakDetector(
          NettyPoolSettings.current().poolName(),
          new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, NettyLeakDetector::print),
          new LeakDetector.Options(
              LIMITS.maxWatched(),
              frame -> false,
              NettyLeakDetector::hintText,
              LIMITS.burstNanos(),
              NettyPoolSettings.current().siteRules(),
              hint -> NettyFeatures.HOOKS.holder(hint),
              NettyLeakDetector::chunkUse));

  private static final LeakLevel SET_LEVEL = NettyPoolSettings.current().leakLevel();

  /** The mean number of buffers of which one is selected by count. */
  private static final int INTERVAL = NettyPoolSettings.current().countInterval();

  private static final boolean IS_COUNT_GIVEN = NettyPoolSettings.current().isCountGiven();

  /** The interval of Netty's own detector, whose property is renamed with the copy. */
  private static final int NETTY_INTERVAL =
      Math.max(
          1,
          Integer.getInteger(
              NettyPoolSettings.current().poolName() + ".leakDetection.samplingInterval",
              NettyPoolSettings.DEFAULT_COUNT_INTERVAL));

  /**
   * Whether this detector also selects buffers by count, in addition to a pool's sampler and
   * Netty's detector.
   */
  static final boolean SELECTS_BY_COUNT =
      SET_LEVEL.isAtLeast(LeakLevel.ADVANCED) || (SET_LEVEL == LeakLevel.SIMPLE && IS_COUNT_GIVEN);

  private NettyLeakDetector() {}

  /** Logs an error in Netty's log, which operators read, or on standard error if that fails. */
  private static void print(String line) {
    try {
      InternalLoggerFactory.getInstance("dev.cistern.leak").error(line);
    } catch (RuntimeException | LinkageError noLog) {
      System.err.println("cistern: " + line);
    }
  }

  /** Returns the text of a hint; some of Netty's hints have one. */
  private static String hintText(Object hint) {
    return hint instanceof ResourceLeakHint named ? named.toHintString() : hint.toString();
  }

  /**
   * Returns the use of the chunk of the pools or of Netty that contains a buffer; null if no chunk
   * contains it. This method loads no class of the pools, because a copy that is only observed has
   * no pools.
   */
  private static @Nullable ChunkUse chunkUse(Object buffer) {
    ChunkUse use = ChunkPart.of(buffer);
    return use != null ? use : NettyPoolSettings.current().hooks().chunkUse(buffer);
  }

  /** Returns the level in force. */
  public static LeakLevel level() {
    LeakLevel netty = nettyLevel();
    return isLevelOfNetty(netty) ? netty : SET_LEVEL;
  }

  /** Returns the level of Netty's own detector, or disabled if it is below advanced. */
  private static LeakLevel nettyLevel() {
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    if (level == ResourceLeakDetector.Level.PARANOID) {
      return LeakLevel.PARANOID;
    }
    return level == ResourceLeakDetector.Level.ADVANCED ? LeakLevel.ADVANCED : LeakLevel.DISABLED;
  }

  /** Returns whether Netty's own level is in force. */
  private static boolean isLevelOfNetty(LeakLevel netty) {
    return netty.isAtLeast(LeakLevel.ADVANCED) && netty.isAtLeast(SET_LEVEL);
  }

  /** Returns whether each buffer is watched. */
  public static boolean isParanoid() {
    return level() == LeakLevel.PARANOID;
  }

  /** Returns whether buffers that a pool sampled by bytes are watched. */
  private static boolean isByBytes() {
    return switch (level()) {
      case DISABLED, PARANOID -> false; // paranoid watches each buffer by count
      case SIMPLE -> !IS_COUNT_GIVEN;
      case ADVANCED -> true;
    };
  }

  /** Watches a buffer that a pool sampled by bytes. */
  static void watchSampled(CisternByteBuf buffer, int requestedBytes, long weightBytes) {
    if (!isByBytes()) {
      return;
    }
    Sample sample =
        Sample.byBytes(
            buffer.memory(), Sample.POOLED, requestedBytes, buffer.slotBytes(), weightBytes);
    watch(buffer, weighed(sample, level()));
  }

  /** Watches a buffer; a failure leaves it unwatched. */
  static void watch(CisternByteBuf buffer, Sample sample) {
    try {
      buffer.setTracker(DETECTOR.track(buffer, sample));
      NettyFeatures.HOOKS.watchBegins();
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Records a use, and the holder if there is a hint; a failure does not reach the caller.
   *
   * @param hint the object that receives the buffer, or a text
   */
  public static void record(LeakTracker<?> tracker, @Nullable Object hint) {
    try {
      tracker.record(hint);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Copies the holder of a tracker to the one that replaces it. */
  static void passOn(@Nullable LeakTracker<?> from, @Nullable LeakTracker<?> to) {
    Holder holder = from == null ? null : from.holder();
    if (to != null && holder != null) {
      to.passedTo(holder);
    }
  }

  /** Ends a watch. A failure does not prevent the release of the buffer's memory. */
  public static <T> void close(LeakTracker<T> tracker, T buffer) {
    try {
      tracker.close(buffer);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Ends a watch without a release: another tracker replaces it, or the release will not be
   * reported. A failure does not reach the caller.
   */
  public static <T> void forget(LeakTracker<T> tracker, T buffer) {
    try {
      tracker.forget(buffer);
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /**
   * Returns whether this detector watches a buffer that Netty's detector selected or did not
   * select.
   */
  static boolean isSelected(boolean isSelectedByNetty) {
    if (isLevelOfNetty(nettyLevel())) {
      return isSelectedByNetty;
    }
    return switch (SET_LEVEL) {
      case DISABLED -> false;
      case SIMPLE -> IS_COUNT_GIVEN && isSelectedByCount();
      case ADVANCED -> isSelectedByCount();
      case PARANOID -> true;
    };
  }

  /**
   * Returns whether to watch the next buffer. Selects at random, as Netty does, because a counter
   * could follow a pattern of the application.
   */
  private static boolean isSelectedByCount() {
    return ThreadLocalRandom.current().nextInt(INTERVAL) == 0;
  }

  /**
   * Watches a buffer that was selected by count. This replaces the watch that the pool's sampler
   * may have begun. The tracker records uses if the level requires that.
   */
  static LeakTracker<CisternByteBuf> watchCounted(CisternByteBuf buffer) {
    LeakLevel level = level();
    Sample counted =
        Sample.byCount(
                buffer.memory(),
                Sample.POOLED,
                buffer.capacity(),
                buffer.slotBytes(),
                interval(level))
            .continuing(buffer.replaceSample());
    Sample sample = weighed(counted, level);
    buffer.leaveSlot();
    boolean isTraced = level.isAtLeast(LeakLevel.ADVANCED);
    LeakTracker<CisternByteBuf> tracker =
        DETECTOR.track(buffer, sample, isTraced ? LIMITS.records() : 0);
    buffer.setTracker(tracker);
    NettyFeatures.HOOKS.watchBegins();
    return tracker;
  }

  /** Returns the mean number of buffers of which one is selected by count. */
  private static int interval(LeakLevel level) {
    return switch (level) {
      case PARANOID -> 1;
      case ADVANCED -> isLevelOfNetty(nettyLevel()) ? NETTY_INTERVAL : INTERVAL;
      default -> INTERVAL;
    };
  }

  /** Returns the sample with its weight in reports: two samplers select buffers at this level. */
  private static Sample weighed(Sample sample, LeakLevel level) {
    return level == LeakLevel.ADVANCED
        ? sample.drawnTwoWays(NettyPoolSettings.current().sampleIntervalBytes(), interval(level))
        : sample;
  }

  /** Returns the leaks found so far, and the failures of watching in this class loader. */
  public static LeakReport report(StackDetail detail) {
    return DETECTOR.report(level().label(), WatchFailures.count(), detail);
  }

  /** Returns the leaks found so far, for a program that reports the failures elsewhere. */
  public static LeakReport reportWithoutFailures(StackDetail detail) {
    return DETECTOR.report(level().label(), 0, detail);
  }

  /** Returns the live profile. */
  public static LiveReport live(StackDetail detail) {
    return DETECTOR.live(NettyPoolSettings.current().sampleIntervalBytes(), detail);
  }

  /** Returns the lifetimes of released samples, one report for each kind of memory. */
  public static List<LifetimeReport> lifetimes() {
    return DETECTOR.lifetimes();
  }

  /** Returns the allocation profile. */
  public static AllocationReport allocations(StackDetail detail) {
    return DETECTOR.allocations(detail);
  }
}
