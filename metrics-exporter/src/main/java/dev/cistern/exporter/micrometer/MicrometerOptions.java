/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import dev.cistern.exporter.metrics.SeriesOptions;
import java.time.Duration;

/**
 * Options of {@link CisternMetrics}.
 *
 * @param exporter the numbers of sites, the detail, and the limit of series
 * @param maxAge how old a reading may be that a scrape begins with, 1 ms to 1 min
 * @param hostTags whether each meter has the tag {@code application}, as the exporter's own
 *     endpoint shows it; applications have tags of their own for that
 */
public record MicrometerOptions(SeriesOptions exporter, Duration maxAge, boolean hostTags) {
  private static final Duration MIN_AGE = Duration.ofMillis(1);
  private static final Duration LARGEST_AGE = Duration.ofMinutes(1);

  /** The exporter's defaults, a reading of at most 1 s, and no tags of the host. */
  public static final MicrometerOptions DEFAULT =
      new MicrometerOptions(SeriesOptions.DEFAULT, Duration.ofSeconds(1), false);

  /**
   * @throws IllegalArgumentException if the age is out of its range
   */
  public MicrometerOptions {
    if (maxAge.compareTo(MIN_AGE) < 0 || maxAge.compareTo(LARGEST_AGE) > 0) {
      throw new IllegalArgumentException(
          "maxAge: " + maxAge + " (expected: " + MIN_AGE + " to " + LARGEST_AGE + ")");
    }
  }

  /** These options with others of the exporter. */
  public MicrometerOptions withExporter(SeriesOptions newExporter) {
    return new MicrometerOptions(newExporter, maxAge, hostTags);
  }

  /** These options with another age. */
  public MicrometerOptions withMaxAge(Duration newMaxAge) {
    return new MicrometerOptions(exporter, newMaxAge, hostTags);
  }

  /** These options with tags of the host, or without. */
  public MicrometerOptions withHostTags(boolean newHostTags) {
    return new MicrometerOptions(exporter, maxAge, newHostTags);
  }
}
