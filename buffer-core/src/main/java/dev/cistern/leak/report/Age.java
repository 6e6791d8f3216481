/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/** How long ago live bytes were allocated. */
public enum Age {
  /** Less than ten seconds ago. */
  UNDER_10_SECONDS("under 10 s", 10_000),
  /** Less than a minute ago. */
  UNDER_1_MINUTE("under 1 min", 60_000),
  /** Less than ten minutes ago. */
  UNDER_10_MINUTES("under 10 min", 600_000),
  /** Longer ago. */
  OLDER("older", Long.MAX_VALUE);

  private final String words;
  private final long endMillis;

  Age(String words, long endMillis) {
    this.words = words;
    this.endMillis = endMillis;
  }

  /** This age in words. */
  public String words() {
    return words;
  }

  /** The age at which this band ends, in milliseconds, itself not within. */
  public long endMillis() {
    return endMillis;
  }

  /** The band of an age in milliseconds. */
  public static Age of(long millis) {
    for (Age age : values()) {
      if (millis < age.endMillis) {
        return age;
      }
    }
    return OLDER;
  }
}
