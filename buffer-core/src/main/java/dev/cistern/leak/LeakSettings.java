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
 * The settings of this process for watching buffers, {@code -Dcistern.*}. What cannot be read
 * counts as not given, and is said once.
 */
public final class LeakSettings {
  private static final long DEFAULT_INTERVAL_BYTES = 512 << 10;
  private static final long LEAST_INTERVAL_BYTES = 1 << 10;
  private static final long MOST_INTERVAL_BYTES = 1L << 30;

  /** Mean bytes between two samples; 0: none is drawn by bytes. */
  public static final long INTERVAL_BYTES = intervalBytes(Settings.text("sampleIntervalBytes"));

  /** Accesses of a buffer that are kept, the last ones. */
  public static final int RECORDS = Settings.number("leakDetection.targetRecords", 4, 0, 1 << 10);

  /** Accesses of a buffer that follow each other so closely share a stack; 0: each has its own. */
  public static final long BURST_NANOS =
      Settings.number(
          "leakDetection.burstNanos", LeakDetector.DEFAULT_BURST_NANOS, 0L, 1_000_000_000L);

  /** Bytes that rest after their release at the paranoid level, in each pool. */
  public static final long QUARANTINE_BYTES =
      Settings.number("leakDetection.quarantineBytes", 8L << 20, 0L, 1L << 40);

  /** Samples watched at a time, and buffers where the level is above simple. */
  public static final int MAX_WATCHED =
      Settings.number("leakDetection.maxWatched", LeakDetector.DEFAULT_MAX_WATCHED, 1, 1 << 24);

  /** Texts of the rules for frames that are not a site. */
  public static final List<String> SITE_RULES = siteRules(Settings.text("leakDetection.siteRules"));

  /** Whether samples are counted at the simple level too, instead of being drawn by bytes. */
  private static final boolean IS_COUNT_GIVEN =
      Settings.text("leakDetection.samplingInterval") != null;

  /** One in so many buffers is watched where they are counted. */
  public static final int SAMPLING_INTERVAL = ResourceLeakDetector.SAMPLING_INTERVAL;

  /** With {@code acquireAndReleaseOnly}, accesses are not recorded. */
  private static final Recorded AT_ADVANCED =
      Settings.flag("leakDetection.acquireAndReleaseOnly", false) ? Recorded.COUNTS : Recorded.ALL;

  private LeakSettings() {}

  /** Whether a buffer that was drawn by its bytes is to be watched: for the live profile, too. */
  public static boolean isByBytes() {
    Level level = ResourceLeakDetector.getLevel();
    return level == Level.ADVANCED || level == Level.SIMPLE;
  }

  /** Whether the detector is to be asked at each allocation. */
  public static boolean isByCount() {
    Level level = ResourceLeakDetector.getLevel();
    return level == Level.SIMPLE ? IS_COUNT_GIVEN : level != Level.DISABLED;
  }

  /** Whether each buffer is watched. */
  public static boolean isParanoid() {
    return ResourceLeakDetector.getLevel() == Level.PARANOID;
  }

  /** What is recorded of a buffer that begins to be watched now. */
  public static Recorded recorded() {
    return ResourceLeakDetector.getLevel().compareTo(Level.ADVANCED) >= 0
        ? AT_ADVANCED
        : Recorded.RELEASE_ONLY;
  }

  /** The level in force, as a word. */
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
    if (bytes == 0 || (bytes >= LEAST_INTERVAL_BYTES && bytes <= MOST_INTERVAL_BYTES)) {
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

  /** -1 for what is no number of bytes. */
  private static long bytes(String text) {
    int unit = text.isEmpty() ? -1 : "kmg".indexOf(text.charAt(text.length() - 1));
    String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
    if (!digits.matches("[0-9]{1,10}")) {
      return -1;
    }
    return Long.parseLong(digits) << (10 * (unit + 1));
  }
}
