/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

/** A search for several needles at once. */
public interface MultiSearchProcessor extends SearchProcessor {
  /**
   * Returns the index of the needle that ends at the last byte, among the needles of the factory;
   * the index of the longest one if several needles end there.
   *
   * @return the index, from 0, or -1 if no needle ends there
   */
  int getFoundNeedleId();
}
