/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/**
 * The change of the old bytes of a site: the bytes that became older than ten seconds, minus those
 * of them that were released. Bytes with a shorter lifetime do not count.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param site {@code class.method:line}
 * @param minuteBytes estimated growth over the last minute, in bytes; negative if they decrease
 * @param fiveMinutesBytes estimated growth over the last five minutes, in bytes
 * @param suspectSinceMillis time since which the site is suspected of leaking, in milliseconds
 *     since the epoch; 0 if it is not
 */
public record SiteTrend(
    String memory, String site, long minuteBytes, long fiveMinutesBytes, long suspectSinceMillis) {
  /** Returns whether the site is suspected of leaking. */
  public boolean isSuspect() {
    return suspectSinceMillis != 0;
  }
}
