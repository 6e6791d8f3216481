/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.List;
import java.util.stream.IntStream;

/**
 * An item of a list with its rank.
 *
 * @param rank the rank, from 1
 * @param thing the item
 */
record Ranked<T>(int rank, T thing) {
  static <T> List<Ranked<T>> of(List<T> things) {
    return IntStream.range(0, things.size())
        .mapToObj(i -> new Ranked<>(i + 1, things.get(i)))
        .toList();
  }

  /** Returns the value of the label {@code rank}. */
  String label() {
    return Integer.toString(rank);
  }
}
