/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** The groups of sizes by which statistics count allocations. */
public enum SizeGroup {
  /** Slots below four pages, in subpages. */
  SMALL("small"),
  /** Slots from four pages to the chunk size: in subpages up to 64 KiB, whole runs above. */
  NORMAL("normal"),
  /** Extents, which are in no chunk. */
  HUGE("huge");

  private final String label;

  SizeGroup(String label) {
    this.label = label;
  }

  /** Returns the value of the {@code size_group} label in metrics. */
  public String label() {
    return label;
  }
}
