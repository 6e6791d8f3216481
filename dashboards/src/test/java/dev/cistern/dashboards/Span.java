/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

/** The time span of a panel, in seconds since the epoch. */
record Span(long startSeconds, long endSeconds, long stepSeconds) {
  private static final long MAX_POINTS = 100;

  /**
   * Returns a span with as many points as a panel has pixels for, and with steps of at least the
   * scrape interval.
   */
  static Span of(long startSeconds, long endSeconds) {
    long step = (endSeconds - startSeconds + MAX_POINTS - 1) / MAX_POINTS;
    return new Span(
        startSeconds, endSeconds, Math.max(step, LivePrometheus.SCRAPE_INTERVAL_SECONDS));
  }

  long seconds() {
    return endSeconds - startSeconds;
  }
}
