/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;

/** The free pages of a chunk: one bit each, set when free. Guarded by the arena's lock. */
final class PageBitmap {
  private final long[] words;
  private final int pages;
  private int freePages;
  // No run longer than this is free: a failed search is not repeated until something came back.
  private int longestMayBe;

  PageBitmap(int pages) {
    this.pages = pages;
    this.words = new long[(pages + Long.SIZE - 1) / Long.SIZE];
    set(0, pages);
    this.freePages = pages;
    this.longestMayBe = pages;
  }

  int freePages() {
    return freePages;
  }

  /** At most so many free pages are in a row. */
  int longestMayBe() {
    return Math.min(longestMayBe, freePages);
  }

  boolean isFree(int page) {
    return ((words[page >> 6] >>> page) & 1) != 0;
  }

  /**
   * Finds the first run of {@code count} free pages: each step of the search passes a whole run,
   * used or free, with two bit scans.
   *
   * @return the first page, or -1 when there is no such run
   */
  int find(int count) {
    if (count > longestMayBe) {
      return -1;
    }
    int longest = 0;
    for (int start = next(0, true); start < pages; ) {
      int end = next(start, false);
      if (end - start >= count) {
        return start;
      }
      longest = Math.max(longest, end - start);
      start = next(end, true);
    }
    longestMayBe = longest;
    return -1;
  }

  /** How many pages are free in a row from {@code start} on, counted up to {@code most}. */
  int freeFrom(int start, int most) {
    return Math.min(most, next(start, false) - start);
  }

  /** Takes a run that {@link #find} found. */
  void take(int start, int count) {
    clear(start, start + count);
    freePages -= count;
  }

  /** Gives back a run; it merges with its free neighbours by itself. */
  void give(int start, int count) {
    set(start, start + count);
    freePages += count;
    longestMayBe = pages;
  }

  /** The first page at or after {@code from} that is free, or used; {@code pages} when none is. */
  private int next(int from, boolean free) {
    int word = from >> 6;
    if (from >= pages) {
      return pages;
    }
    long bits = (free ? words[word] : ~words[word]) & (-1L << from);
    while (bits == 0) {
      if (++word == words.length) {
        return pages;
      }
      bits = free ? words[word] : ~words[word];
    }
    return Math.min(pages, (word << 6) + Long.numberOfTrailingZeros(bits));
  }

  private void set(int from, int to) {
    for (int word = from >> 6; word <= (to - 1) >> 6; word++) {
      words[word] |= mask(word, from, to);
    }
  }

  private void clear(int from, int to) {
    for (int word = from >> 6; word <= (to - 1) >> 6; word++) {
      words[word] &= ~mask(word, from, to);
    }
  }

  /** The bits of {@code word} that stand for pages in [from, to). */
  private static long mask(int word, int from, int to) {
    int low = Math.max(from - (word << 6), 0);
    int high = Math.min(to - (word << 6), Long.SIZE);
    return (-1L << low) & (-1L >>> (Long.SIZE - high));
  }

  @Override
  public String toString() {
    return "free " + freePages + "/" + pages + " " + Arrays.toString(words);
  }
}
