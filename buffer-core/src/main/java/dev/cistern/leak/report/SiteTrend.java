/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * How the old bytes of a site change: bytes that are older than ten seconds, those that became so
 * less those that were released. What lives shorter is not in it.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line}
 * @param minuteBytes estimated growth over the last minute, in bytes; negative where it shrinks
 * @param fiveMinutesBytes estimated growth over the last five minutes, in bytes
 * @param suspectSinceMillis since when the site is suspected of leaking, milliseconds since the
 *     epoch; 0: it is not
 */
public record SiteTrend(
    String memory, String site, long minuteBytes, long fiveMinutesBytes, long suspectSinceMillis) {
  /** Whether the site is suspected of leaking. */
  public boolean isSuspect() {
    return suspectSinceMillis != 0;
  }
}
