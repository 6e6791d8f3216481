/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/**
 * How many series a host may have: what its pools always show, and the rest for sites. The limits
 * of the two settings are such that a host with one pool of both kinds of memory stays within
 * {@link #SERIES} whatever leaks.
 */
final class SeriesBudget {
  /** All series of a host, by default settings and by any that are accepted. */
  static final int SERIES = 300;

  /** Leak sites with series of their own: at most so many can be set. */
  static final int MAX_LEAK_SITES = 21;

  /** Live sites with series of their own: at most so many can be set. */
  static final int MAX_LIVE_SITES = 21;

  /** Kept for what the exporter tells of itself, beside its host. */
  static final int SERIES_OF_EXPORTER = 18;

  /** Leaks and leaked bytes. */
  static final int SERIES_OF_LEAK_SITE = 2;

  /** Live bytes of four ages, and live buffers. */
  static final int SERIES_OF_LIVE_SITE = 5;

  private SeriesBudget() {}

  /**
   * @throws IllegalArgumentException if there would be more series than the budget has
   */
  static void check(String setting, int sites, int max) {
    if (sites < 0 || sites > max) {
      throw new IllegalArgumentException(
          setting
              + ": "
              + sites
              + " (expected: 0 to "
              + max
              + ", to stay within "
              + SERIES
              + " series)");
    }
  }
}
