/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** A search for several needles at once. */
public interface MultiSearchProcessor extends SearchProcessor {
  /**
   * Which needle ends at the last byte, by its place among those given; the longest if several do.
   *
   * @return -1 if none does
   */
  int getFoundNeedleId();
}
