/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.RankedLeaks;
import java.util.Arrays;
import java.util.function.Consumer;

/** A site with leaks, the number of its kept stacks, and its place. Guarded by the store's lock. */
final class LeakedSite extends LargestKept.Kept {
  /** The place of a site without one. */
  static final int NO_PLACE = LeakReport.PLACES;

  /** Sums of the leaks whose stacks are not kept. */
  final LeakCounts rest = new LeakCounts();

  final String memory;
  private final String name;

  /** Number of kept stacks of this site. */
  int stacks;

  private int place = NO_PLACE;

  /** Number of leaks found at each place; 0 before the current place. Empty without a place. */
  private long[] found = {};

  private long[] bytes = {};

  LeakedSite(String memory, String name) {
    this.memory = memory;
    this.name = name;
  }

  @Override
  boolean isReplacedLast() {
    return false;
  }

  int place() {
    return place;
  }

  /**
   * Changes the place. If the new place is further back, the leaks of the places before it now
   * count for the new place. A reader that names fewer sites has them in the remainder.
   */
  void moveTo(int newPlace) {
    if (newPlace == NO_PLACE) {
      found = new long[0];
      bytes = new long[0];
    } else if (place == NO_PLACE) {
      found = new long[LeakReport.PLACES];
      bytes = new long[LeakReport.PLACES];
    } else if (newPlace > place) {
      fold(found, newPlace);
      fold(bytes, newPlace);
    }
    place = newPlace;
  }

  private void fold(long[] counts, int newPlace) {
    counts[newPlace] += Arrays.stream(counts, place, newPlace).sum();
    Arrays.fill(counts, place, newPlace, 0);
  }

  /** Counts a leak at the current place, if there is one. */
  void count(long leakedBytes) {
    if (place != NO_PLACE) {
      found[place]++;
      bytes[place] += leakedBytes;
    }
  }

  void show(Consumer<RankedLeaks> to) {
    for (int at = place; at < found.length; at++) {
      if (found[at] > 0) {
        to.accept(new RankedLeaks(memory, name, at, found[at], bytes[at]));
      }
    }
  }
}
