/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import dev.cistern.exporter.metrics.SeriesOptions;
import java.time.Duration;

/**
 * Options of {@link CisternMetrics}.
 *
 * @param exporter the numbers of sites, the detail, and the limit of series
 * @param maxAge maximum age of a reading at the begin of a scrape, 1 ms to 1 min
 * @param hostTags whether each meter has the tag {@code application}, as on the exporter's own
 *     endpoint; applications usually have their own tags for it
 */
public record MicrometerOptions(SeriesOptions exporter, Duration maxAge, boolean hostTags) {
  private static final Duration MIN_AGE = Duration.ofMillis(1);
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  /** Options with the exporter's defaults, a reading up to 1 s old, and no tags of the host. */
  public static final MicrometerOptions DEFAULT =
      new MicrometerOptions(SeriesOptions.DEFAULT, Duration.ofSeconds(1), false);

  /**
   * Validates the options.
   *
   * @throws IllegalArgumentException if the age is out of its range
   */
  public MicrometerOptions {
    if (maxAge.compareTo(MIN_AGE) < 0 || maxAge.compareTo(MAX_AGE) > 0) {
      throw new IllegalArgumentException(
          "maxAge: " + maxAge + " (expected: " + MIN_AGE + " to " + MAX_AGE + ")");
    }
  }

  /** Returns these options with other options of the exporter. */
  public MicrometerOptions withExporter(SeriesOptions newExporter) {
    return new MicrometerOptions(newExporter, maxAge, hostTags);
  }

  /** Returns these options with another maximum age. */
  public MicrometerOptions withMaxAge(Duration newMaxAge) {
    return new MicrometerOptions(exporter, newMaxAge, hostTags);
  }

  /** Returns these options with or without tags of the host. */
  public MicrometerOptions withHostTags(boolean newHostTags) {
    return new MicrometerOptions(exporter, maxAge, newHostTags);
  }
}
