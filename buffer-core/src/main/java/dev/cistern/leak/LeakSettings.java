/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import dev.cistern.util.internal.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The settings of this process for watching buffers, {@code -Dcistern.*}. An invalid value is
 * logged once and replaced by the default.
 */
public final class LeakSettings {
  private static final long DEFAULT_INTERVAL_BYTES = 512 << 10;
  private static final long MIN_INTERVAL_BYTES = 1 << 10;
  private static final long MAX_INTERVAL_BYTES = 1L << 30;

  /** Mean number of bytes between two samples; 0 for no samples by bytes. */
  public static final long INTERVAL_BYTES = intervalBytes(Settings.text("sampleIntervalBytes"));

  /** Maximum number of accesses of a buffer that are kept, the last ones. */
  public static final int RECORDS = Settings.number("leakDetection.targetRecords", 4, 0, 1 << 10);

  /**
   * Maximum distance of accesses of a buffer that share a stack, in nanoseconds; 0 if each access
   * has its own stack.
   */
  public static final long BURST_NANOS =
      Settings.number(
          "leakDetection.burstNanos", LeakDetector.DEFAULT_BURST_NANOS, 0L, 1_000_000_000L);

  /** Limit of the bytes in quarantine at the paranoid level, in each pool. */
  public static final long QUARANTINE_BYTES =
      Settings.number("leakDetection.quarantineBytes", 8L << 20, 0L, 1L << 40);

  /** Limit of watched samples, and of watched buffers if the level is above simple. */
  public static final int MAX_WATCHED =
      Settings.number("leakDetection.maxWatched", LeakDetector.DEFAULT_MAX_WATCHED, 1, 1 << 24);

  /** The texts of the rules for frames that are not a site. */
  public static final List<String> SITE_RULES = siteRules(Settings.text("leakDetection.siteRules"));

  /** Whether samples at the simple level are selected by count and not by bytes. */
  private static final boolean IS_COUNT_GIVEN =
      Settings.text("leakDetection.samplingInterval") != null;

  /** Mean number of buffers of which one is selected by count. */
  public static final int SAMPLING_INTERVAL = ResourceLeakDetector.SAMPLING_INTERVAL;

  /**
   * The recording level above the simple level. With {@code acquireAndReleaseOnly}, trackers record
   * no accesses.
   */
  private static final RecordingLevel AT_ADVANCED =
      Settings.flag("leakDetection.acquireAndReleaseOnly", false)
          ? RecordingLevel.COUNTS
          : RecordingLevel.ALL;

  private LeakSettings() {}

  /**
   * Returns whether buffers that were sampled by bytes are watched, for leaks and for the live
   * profile.
   */
  public static boolean isByBytes() {
    Level level = ResourceLeakDetector.getLevel();
    return level == Level.ADVANCED || level == Level.SIMPLE;
  }

  /** Returns whether each allocation calls the detector. */
  public static boolean isByCount() {
    Level level = ResourceLeakDetector.getLevel();
    return level == Level.SIMPLE ? IS_COUNT_GIVEN : level != Level.DISABLED;
  }

  /** Returns whether each buffer is watched. */
  public static boolean isParanoid() {
    return ResourceLeakDetector.getLevel() == Level.PARANOID;
  }

  /** Returns the recording level of a new tracker. */
  public static RecordingLevel recordingLevel() {
    return ResourceLeakDetector.getLevel().compareTo(Level.ADVANCED) >= 0
        ? AT_ADVANCED
        : RecordingLevel.RELEASE_ONLY;
  }

  /** Returns the name of the level in force. */
  public static String level() {
    return ResourceLeakDetector.getLevel().name().toLowerCase(Locale.ROOT);
  }

  static List<String> siteRules(@Nullable String file) {
    if (file == null) {
      return SiteRules.defaults();
    }
    try {
      return SiteRules.defaultsWith(Path.of(file));
    } catch (IOException | RuntimeException unusable) {
      System.getLogger(LeakSettings.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "cannot read cistern.leakDetection.siteRules={0}: {1}; using the default rules",
              file,
              unusable);
      return SiteRules.defaults();
    }
  }

  static long intervalBytes(@Nullable String text) {
    if (text == null) {
      return DEFAULT_INTERVAL_BYTES;
    }
    long bytes = bytes(text.toLowerCase(Locale.ROOT));
    if (bytes == 0 || (bytes >= MIN_INTERVAL_BYTES && bytes <= MAX_INTERVAL_BYTES)) {
      return bytes;
    }
    System.getLogger(LeakSettings.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "cistern.sampleIntervalBytes={0} is not 0 or bytes from 1k to 1g (k, m and g multiply);"
                + " using {1}",
            text,
            "512k");
    return DEFAULT_INTERVAL_BYTES;
  }

  /** Returns the bytes; -1 if the text is not a number of bytes. */
  private static long bytes(String text) {
    int unit = text.isEmpty() ? -1 : "kmg".indexOf(text.charAt(text.length() - 1));
    String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
    if (!digits.matches("[0-9]{1,10}")) {
      return -1;
    }
    return Long.parseLong(digits) << (10 * (unit + 1));
  }
}
