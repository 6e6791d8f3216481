/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link LeakDetector} knows at one moment: an immutable copy.
 *
 * @param entries leaks by allocation stack, in the order in which their stacks were first seen
 * @param dropped watched leaks that found no place in the store
 * @param droppedBytes estimate of the bytes of the leaks that found no place
 * @param trackers samples that are watched now: allocated, not yet released
 * @param untracked samples that were not watched because too many were already
 */
public record LeakReport(
    List<LeakEntry> entries, long dropped, long droppedBytes, long trackers, long untracked) {

  /** Nothing was seen. */
  public static final LeakReport EMPTY = new LeakReport(List.of(), 0, 0, 0, 0);

  private static final int ENCODED_NUMBERS = 4;

  /** Copies the entries. */
  public LeakReport {
    entries = List.copyOf(entries);
  }

  /** Returns this report as JDK types, for a reader in another class loader. */
  public Object[] encode() {
    Object[] encoded = new Object[1 + entries.size()];
    encoded[0] = new long[] {dropped, droppedBytes, trackers, untracked};
    for (int i = 0; i < entries.size(); i++) {
      encoded[1 + i] = entries.get(i).encode();
    }
    return encoded;
  }

  /**
   * Reads what {@link #encode()} wrote.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static LeakReport decode(Object[] encoded) {
    if (encoded.length == 0
        || !(encoded[0] instanceof long[] numbers)
        || numbers.length != ENCODED_NUMBERS) {
      throw new IllegalArgumentException("not an encoded leak report of this version");
    }
    List<LeakEntry> entries = new ArrayList<>(encoded.length - 1);
    for (int i = 1; i < encoded.length; i++) {
      if (!(encoded[i] instanceof Object[] entry)) {
        throw new IllegalArgumentException("not an encoded leak report of this version");
      }
      entries.add(LeakEntry.decode(entry));
    }
    return new LeakReport(entries, numbers[0], numbers[1], numbers[2], numbers[3]);
  }
}
