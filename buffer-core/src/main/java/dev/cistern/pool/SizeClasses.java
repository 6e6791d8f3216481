/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;

/**
 * The sizes that requests are rounded up to: multiples of 16 up to 128 bytes, then four to a
 * doubling, up to the chunk size (Berger et al., and jemalloc's classes). A request that is a class
 * size already is not rounded.
 */
public final class SizeClasses {
  /** Least size of a slot in bytes. */
  static final int QUANTUM = 16;

  private static final int QUANTUM_LOG2 = 4;

  private static final int STEPS_PER_DOUBLING_LOG2 = 2;
  private static final int SUBPAGE_MAX_PAGES = 4;

  /** A subpage that grew takes at most this part of a chunk. */
  private static final int GROWN_SUBPAGES_PER_CHUNK = 16;

  /** A subpage grows to at most four times its least size. */
  static final int MAX_GROWTH_LOG2 = 2;

  /** Where there is no room, a subpage is cut to a quarter of its least size. */
  private static final int LEAST_SHIFT = 2;

  private final int[] bytes;
  private final byte[] classByOctave;
  private final byte[] classByQuanta;
  private final byte[] classByPages;
  private final int smallCount;
  private final int pageBytes;

  /**
   * The classes of an arena.
   *
   * @param pageBytes size of a page, a power of two
   * @param chunkBytes size of a chunk, the largest class
   * @param alignment every class is a multiple of it; 0 for none
   */
  public SizeClasses(int pageBytes, int chunkBytes, int alignment) {
    this.pageBytes = pageBytes;
    this.bytes = sizes(chunkBytes, Math.max(alignment, QUANTUM));
    int smallLimit = pageBytes * SUBPAGE_MAX_PAGES;
    int small = 0;
    while (small < bytes.length && bytes[small] < smallLimit) {
      small++;
    }
    this.smallCount = small;
    this.classByOctave = index(chunkBytes);
    this.classByQuanta = new byte[quanta(small == 0 ? 0 : bytes[small - 1]) + 1];
    for (int i = 0; i < classByQuanta.length; i++) {
      classByQuanta[i] = (byte) of(i << QUANTUM_LOG2);
    }
    this.classByPages = new byte[bytes[bytes.length - 1] / pageBytes];
    for (int i = 0; i < classByPages.length; i++) {
      classByPages[i] = (byte) of((i + 1) * pageBytes); // classes of runs are whole pages
    }
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

  /** For each quarter of each doubling, the first class that holds its largest request. */
  private byte[] index(int chunkBytes) {
    byte[] table = new byte[octave(chunkBytes) + 1];
    for (int octave = 0; octave < table.length; octave++) {
      int log2 = octave >> STEPS_PER_DOUBLING_LOG2;
      if (log2 < STEPS_PER_DOUBLING_LOG2) {
        continue;
      }
      long largest = (long) (4 + (octave & 3) + 1) << (log2 - STEPS_PER_DOUBLING_LOG2);
      int sizeClass = 0;
      while (sizeClass < bytes.length - 1 && bytes[sizeClass] < largest) {
        sizeClass++;
      }
      table[octave] = (byte) sizeClass;
    }
    return table;
  }

  private static int octave(int request) {
    int last = (Math.max(request, 1) - 1) | (QUANTUM - 1);
    int log2 = 31 - Integer.numberOfLeadingZeros(last);
    return (log2 << STEPS_PER_DOUBLING_LOG2) + ((last >>> (log2 - STEPS_PER_DOUBLING_LOG2)) & 3);
  }

  /** The class that serves a request of 0 to chunk size bytes. */
  public int of(int request) {
    return classByOctave[octave(request)];
  }

  /** By {@link #quanta}: the class, for requests that subpages serve. Not to be changed. */
  byte[] smallTable() {
    return classByQuanta;
  }

  /**
   * By the page that the last byte lies in: the class, for requests that get a run of their own.
   */
  byte[] runTable() {
    return classByPages;
  }

  /** A request in quanta, rounded up; negative for a negative request, or one near the limit. */
  static int quanta(int request) {
    return (request + QUANTUM - 1) >> QUANTUM_LOG2 | request >> (Integer.SIZE - 1);
  }

  int count() {
    return bytes.length;
  }

  /** Classes below this one are served from subpages, the others by runs of their own. */
  int smallCount() {
    return smallCount;
  }

  /** Bytes of a slot of a class. */
  public int bytes(int sizeClass) {
    return bytes[sizeClass];
  }

  int[] allBytes() {
    return bytes.clone();
  }

  /** Returns the pages of the first subpage, or of a whole run, of this class. */
  int runPages(int sizeClass) {
    int size = bytes[sizeClass];
    return sizeClass < smallCount ? subpagePages(sizeClass, 0) : (size + pageBytes - 1) / pageBytes;
  }

  /**
   * Pages of a subpage: enough slots that going for the next one is rare, few enough that a thread
   * which uses many classes does not hold much; and at most a sixteenth lost at the end of the run.
   *
   * @param growthLog2 0 for the first subpages of a thread, up to {@link #MAX_GROWTH_LOG2} for the
   *     next: with many live buffers, large subpages are set aside and taken up again more rarely
   */
  int subpagePages(int sizeClass, int growthLog2) {
    int size = bytes[sizeClass];
    int least = Math.max(pageBytes, Math.min(size * 64, 8 * pageBytes));
    least = Math.max(least, size * 4);
    int largest = Math.max(least, bytes[bytes.length - 1] / GROWN_SUBPAGES_PER_CHUNK);
    least = Math.min(least << growthLog2, largest);
    int pages = (least + pageBytes - 1) / pageBytes;
    while (isWasteful(pages, size)) {
      pages++;
    }
    return pages;
  }

  /**
   * Pages of the smallest subpage of this class, for where its chunks have no room for more: about
   * a quarter of the first one, but two slots.
   */
  int leastSubpagePages(int sizeClass) {
    int size = bytes[sizeClass];
    int twoSlots = (2 * size + pageBytes - 1) / pageBytes;
    int pages = Math.max(subpagePages(sizeClass, 0) >> LEAST_SHIFT, twoSlots);
    while (isWasteful(pages, size)) {
      pages++;
    }
    return pages;
  }

  /**
   * Pages of a subpage that has {@code room} pages: as many as lose no more than others do.
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

  /** More than a sixteenth of the run is lost at its end. */
  private boolean isWasteful(int pages, int size) {
    return pages * pageBytes % size * 16 > pages * pageBytes;
  }
}
