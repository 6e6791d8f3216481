/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

/** The age of live bytes, in bands. */
public enum Age {
  /** Less than ten seconds. */
  UNDER_10_SECONDS("under 10 s", 10_000),
  /** Less than a minute. */
  UNDER_1_MINUTE("under 1 min", 60_000),
  /** Less than ten minutes. */
  UNDER_10_MINUTES("under 10 min", 600_000),
  /** Ten minutes or more. */
  OLDER("older", Long.MAX_VALUE);

  private final String label;
  private final long endMillis;

  Age(String label, long endMillis) {
    this.label = label;
    this.endMillis = endMillis;
  }

  /** Returns this band as text. */
  public String label() {
    return label;
  }

  /** Returns the age at which this band ends in milliseconds, exclusive. */
  public long endMillis() {
    return endMillis;
  }

  /** Returns the band of an age in milliseconds. */
  public static Age of(long millis) {
    for (Age age : values()) {
      if (millis < age.endMillis) {
        return age;
      }
    }
    return OLDER;
  }
}
