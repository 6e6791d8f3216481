/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** How an allocation was served. */
public enum SizeGroup {
  /** From a slot of a subpage. */
  SMALL("small"),
  /** From a run of pages of its own. */
  NORMAL("normal"),
  /** From an extent of its own, outside any chunk. */
  HUGE("huge");

  private final String label;

  SizeGroup(String label) {
    this.label = label;
  }

  /** The value of the {@code size_group} label in metrics. */
  public String label() {
    return label;
  }
}
