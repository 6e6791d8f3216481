/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

/**
 * The amounts of pending memory between which an {@link OutboundBuffer} changes its writability: it
 * is not writable above {@code high}, and writable again at {@code low} or less.
 *
 * @param low the low mark in bytes, 0 or more
 * @param high the high mark in bytes, not below {@code low}
 */
public record WaterMarks(int low, int high) {
  /** The default marks, 32 KiB and 64 KiB. */
  public static final WaterMarks DEFAULT = new WaterMarks(32 * 1024, 64 * 1024);

  /**
   * @throws IllegalArgumentException if a mark is negative, or the low one above the high one
   */
  public WaterMarks {
    if (low < 0) {
      throw new IllegalArgumentException("low water mark: " + low + " (expected: >= 0)");
    }
    if (high < low) {
      throw new IllegalArgumentException(
          "high water mark: " + high + " (expected: >= the low water mark, " + low + ")");
    }
  }
}
