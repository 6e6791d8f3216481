/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/**
 * The usage bands by which statistics report chunks. The bands overlap, so that a chunk at a border
 * does not change its band with every run.
 */
public enum UsageBand {
  /** Empty chunks, and chunks whose usage has stayed below a quarter since they were empty. */
  QINIT("qInit", 0, 25),
  /** Chunks with a usage below a half. */
  Q000("q000", 1, 50),
  /** Chunks with a usage from a quarter to three quarters. */
  Q025("q025", 25, 75),
  /** Chunks with a usage of half or more. */
  Q050("q050", 50, 100),
  /** Chunks with a usage of three quarters or more. */
  Q075("q075", 75, 100),
  /** Full chunks. */
  Q100("q100", 100, 100);

  private static final UsageBand[] ALL = values();

  private final String label;
  private final int minUsage;
  private final int maxUsage;

  UsageBand(String label, int minUsage, int maxUsage) {
    this.label = label;
    this.minUsage = minUsage;
    this.maxUsage = maxUsage;
  }

  /** Returns the value of the {@code band} label in metrics. */
  public String label() {
    return label;
  }

  /** Returns the minimum usage of a chunk in this band, in percent. */
  public int minUsage() {
    return minUsage;
  }

  /**
   * Returns the usage in percent at which a chunk moves to a fuller band; 100 for the fullest two
   * bands.
   */
  public int maxUsage() {
    return maxUsage;
  }

  /**
   * Returns the new band of a chunk in this band whose usage has become {@code usage}. The new band
   * may be several bands away.
   *
   * @param usage usage in percent, 0 to 100, rounded down, but 1 or more if any page is in use
   */
  public UsageBand next(int usage) {
    UsageBand band = this;
    while (band != Q100 && usage >= band.maxUsage) {
      band = ALL[band.ordinal() + 1];
    }
    // No chunk returns to qInit, which is for chunks that have not been fuller yet.
    while (band.ordinal() > Q000.ordinal() && usage < band.minUsage) {
      band = ALL[band.ordinal() - 1];
    }
    return band;
  }
}
