/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;

/**
 * The sizes to which requests are rounded up: multiples of 16 up to 128 bytes, then four sizes per
 * doubling, up to the chunk size (Berger et al., and jemalloc's classes). A request of exactly the
 * size of a class is not rounded.
 */
public final class SizeClasses {
  /** The smallest size of a slot in bytes. */
  static final int QUANTUM = 16;

  private static final int QUANTUM_LOG2 = 4;

  private static final int STEPS_PER_DOUBLING_LOG2 = 2;

  /** The number of pages below which a slot is small. Small slots are always in subpages. */
  private static final int SMALL_PAGES = 4;

  /**
   * The number of pages up to which slots are also in subpages, if four of them fit into the
   * largest subpage.
   */
  private static final int MAX_SUBPAGE_SLOT_PAGES = 8;

  /**
   * The minimum number of slots of a subpage. A subpage that is cut to the room in the chunks has
   * at least two.
   */
  private static final int MIN_SLOTS = 4;

  /** The number of largest subpages that fit into a chunk. */
  private static final int GROWN_SUBPAGES_PER_CHUNK = 16;

  /** The logarithm of the maximum growth of a subpage: up to four times its smallest size. */
  static final int MAX_GROWTH_LOG2 = 2;

  /**
   * The shift from the size of the first subpage to that of the smallest one, a quarter, for chunks
   * without room.
   */
  private static final int MIN_SIZE_SHIFT = 2;

  private final int[] bytes;
  private final byte[] classByQuanta;
  private final byte[] classByPages;
  private final int smallCount;
  private final int subpageCount;
  private final int pageBytes;

  /**
   * Computes the classes.
   *
   * @param pageBytes size of a page, a power of two
   * @param chunkBytes size of a chunk, the largest class
   * @param alignment every class is a multiple of it, up to the page size; 0 for none
   */
  public SizeClasses(int pageBytes, int chunkBytes, int alignment) {
    this.pageBytes = pageBytes;
    this.bytes = sizes(chunkBytes, Math.max(alignment, QUANTUM));
    int largestSubpage = chunkBytes / GROWN_SUBPAGES_PER_CHUNK;
    this.smallCount = countUpTo(SMALL_PAGES * pageBytes - 1);
    int inSubpages =
        countUpTo(Math.min(MAX_SUBPAGE_SLOT_PAGES * pageBytes, largestSubpage / MIN_SLOTS));
    this.subpageCount = Math.max(smallCount, inSubpages);
    this.classByQuanta = table(bytes[subpageCount - 1] / QUANTUM, QUANTUM);
    this.classByPages = table(chunkBytes / pageBytes, pageBytes);
  }

  private int countUpTo(int largest) {
    int count = 0;
    while (bytes[count] <= largest) {
      count++;
    }
    return count;
  }

  private static int[] sizes(int chunkBytes, int multiple) {
    int[] sizes = new int[Integer.SIZE << STEPS_PER_DOUBLING_LOG2];
    int count = 0;
    int step = QUANTUM;
    for (int size = QUANTUM; size > 0 && size <= chunkBytes; size += step) {
      if (size % multiple == 0) {
        sizes[count++] = size;
      }
      if (size >= 4 * QUANTUM && Integer.bitCount(size) == 1) {
        step = size >> STEPS_PER_DOUBLING_LOG2;
      }
    }
    return Arrays.copyOf(sizes, count);
  }

  /** Returns the classes of {@code count} requests: of one step, of two steps, and so on. */
  private byte[] table(int count, int step) {
    byte[] table = new byte[count];
    int sizeClass = 0;
    for (int i = 0; i < count; i++) {
      while (bytes[sizeClass] < (i + 1) * step) {
        sizeClass++;
      }
      table[i] = (byte) sizeClass;
    }
    return table;
  }

  /** Returns the class of a request, which is from 0 to the chunk size in bytes. */
  public int of(int request) {
    int last = Math.max(0, request - 1);
    return last >> QUANTUM_LOG2 < classByQuanta.length
        ? classByQuanta[last >> QUANTUM_LOG2]
        : classByPages[last / pageBytes];
  }

  /** Returns the classes by {@link #quantum}, for requests that fit subpages. Do not change it. */
  byte[] smallTable() {
    return classByQuanta;
  }

  /** Returns the classes by the page of the last byte, for requests that get a whole run. */
  byte[] runTable() {
    return classByPages;
  }

  /**
   * Returns the quantum of the last byte of a request; a number far too large if the request is 0
   * or less.
   */
  static int quantum(int request) {
    return (request - 1) >>> QUANTUM_LOG2;
  }

  int count() {
    return bytes.length;
  }

  /** Returns the number of small classes, which have fewer than four pages. */
  int smallCount() {
    return smallCount;
  }

  /** Returns the number of classes that use subpages; larger classes use whole runs. */
  int subpageCount() {
    return subpageCount;
  }

  /** Returns the size of a slot of a class, in bytes. */
  public int bytes(int sizeClass) {
    return bytes[sizeClass];
  }

  int[] allBytes() {
    return bytes.clone();
  }

  /** Returns the pages of the first subpage, or of a whole run, of this class. */
  int runPages(int sizeClass) {
    int size = bytes[sizeClass];
    return sizeClass < subpageCount
        ? subpagePages(sizeClass, 0)
        : (size + pageBytes - 1) / pageBytes;
  }

  /**
   * Returns the pages of a subpage. A subpage has so many slots that a thread rarely needs another
   * one, and so few that a thread with many classes does not reserve much memory. It wastes up to a
   * sixteenth of the run at its end.
   *
   * @param growthLog2 0 for the first subpages of a thread, up to {@link #MAX_GROWTH_LOG2} for
   *     later ones: with larger subpages, a thread with many live buffers changes its current
   *     subpage less often
   */
  int subpagePages(int sizeClass, int growthLog2) {
    int size = bytes[sizeClass];
    int least = Math.max(pageBytes, Math.min(size * 64, 8 * pageBytes));
    least = Math.max(least, Math.min(size * MIN_SLOTS, SMALL_PAGES * MIN_SLOTS * pageBytes));
    int largest = Math.max(least, bytes[bytes.length - 1] / GROWN_SUBPAGES_PER_CHUNK);
    least = Math.min(least << growthLog2, largest);
    int pages = (least + pageBytes - 1) / pageBytes;
    while (isWasteful(pages, size)) {
      pages++;
    }
    return pages;
  }

  /**
   * Returns the pages of the smallest subpage of this class, for chunks without room for more:
   * about a quarter of the first subpage, and enough for two slots.
   */
  int leastSubpagePages(int sizeClass) {
    int size = bytes[sizeClass];
    int twoSlots = (2 * size + pageBytes - 1) / pageBytes;
    int pages = Math.max(subpagePages(sizeClass, 0) >> MIN_SIZE_SHIFT, twoSlots);
    while (isWasteful(pages, size)) {
      pages++;
    }
    return pages;
  }

  /**
   * Returns the pages of a subpage within {@code room} pages, which wastes no more than other
   * subpages.
   *
   * @param room at least {@link #leastSubpagePages}
   */
  int subpagePagesWithin(int sizeClass, int room) {
    int pages = room;
    while (isWasteful(pages, bytes[sizeClass])) {
      pages--;
    }
    return pages;
  }

  /** Returns whether a subpage wastes more than a sixteenth of its run at the end. */
  private boolean isWasteful(int pages, int size) {
    return pages * pageBytes % size * 16 > pages * pageBytes;
  }
}
