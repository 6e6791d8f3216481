/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.BitSet;

/** The free pages of a chunk. Guarded by the arena's lock. */
final class PageBitmap {
  /** One bit for each page, which is set if the page is free. It never grows. */
  private final BitSet free;

  private final int pages;
  private int freePages;

  /** An upper bound of a free run, so that no failed search is repeated until a run is freed. */
  private int longestMayBe;

  PageBitmap(int pages) {
    this.pages = pages;
    this.free = new BitSet(pages);
    give(0, pages);
  }

  int freePages() {
    return freePages;
  }

  /** Returns an upper bound of the pages of a free run. */
  int longestMayBe() {
    return Math.min(longestMayBe, freePages);
  }

  boolean isFree(int page) {
    return free.get(page);
  }

  /**
   * Finds the first run of {@code count} free pages. Each step of the search skips a whole used or
   * free run by a scan for the next bit.
   *
   * @return the first page, or -1 if there is no such run
   */
  int find(int count) {
    if (count > longestMayBe) {
      return -1;
    }
    int longest = 0;
    for (int start = free.nextSetBit(0); start >= 0; ) {
      int end = free.nextClearBit(start);
      if (end - start >= count) {
        return start;
      }
      longest = Math.max(longest, end - start);
      start = free.nextSetBit(end);
    }
    longestMayBe = longest;
    return -1;
  }

  /** Returns the number of consecutive free pages from {@code start} on, up to {@code most}. */
  int freeFrom(int start, int most) {
    return Math.min(most, free.nextClearBit(start) - start);
  }

  /** Takes a run that {@link #find} found. */
  void take(int start, int count) {
    free.clear(start, start + count);
    freePages -= count;
  }

  /** Frees a run, which thereby merges with its free neighbours. */
  void give(int start, int count) {
    free.set(start, start + count);
    freePages += count;
    longestMayBe = pages;
  }
}
