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
  static final int MAX_LEAK_SITES = 24;

  /** Live sites with series of their own: at most so many can be set. */
  static final int MAX_LIVE_SITES = 24;

  /** Leaks and leaked bytes. */
  static final int SERIES_OF_LEAK_SITE = 2;

  /** Live bytes of four ages, and live buffers. */
  static final int SERIES_OF_LIVE_SITE = 5;

  private SeriesBudget() {}

  /**
   * Returns how many live sites may have series of their own: as many as are set with one pool,
   * fewer where more pools take their part. Leak sites never have to give way, since a counter must
   * not go back.
   *
   * @param fixed all series that are not those of a leak site or a live site of its own
   */
  static int liveSites(int liveSites, int leakSites, int fixed) {
    int free = SERIES - fixed - leakSites * SERIES_OF_LEAK_SITE;
    return Math.max(0, Math.min(liveSites, free / SERIES_OF_LIVE_SITE));
  }

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
