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
  /** Nearly empty. */
  Q000("q000", 1, 50),
  /** A quarter to three quarters. */
  Q025("q025", 25, 75),
  /** Half full and more. */
  Q050("q050", 50, 100),
  /** Three quarters and more. */
  Q075("q075", 75, 100),
  /** Full. */
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

  /** The value of the {@code band} label in metrics. */
  public String label() {
    return label;
  }

  /** Least usage, in percent, at which a chunk stays in this band. */
  public int minUsage() {
    return minUsage;
  }

  /** Usage, in percent, from which a chunk leaves for a fuller band; 100 for the fullest two. */
  public int maxUsage() {
    return maxUsage;
  }

  /**
   * The band for a chunk that is in this one and whose usage has become {@code usage}; it may lie
   * several bands away.
   *
   * @param usage percent, 0 to 100, rounded down, but at least 1 unless nothing is in use
   */
  public UsageBand next(int usage) {
    UsageBand band = this;
    while (band != Q100 && usage >= band.maxUsage) {
      band = ALL[band.ordinal() + 1];
    }
    // Nothing falls back into qInit: that is for chunks on their way up.
    while (band.ordinal() > Q000.ordinal() && usage < band.minUsage) {
      band = ALL[band.ordinal() - 1];
    }
    return band;
  }
}
