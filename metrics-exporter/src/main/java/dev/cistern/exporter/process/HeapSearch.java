/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Search for the Java heap: adjacent anonymous mappings that together are about as large as the JVM
 * reserves for it. The heap can adjoin other memory, such as the class space or tables of the
 * garbage collector. Therefore parts of a run of adjacent mappings are compared, too.
 */
final class HeapSearch {
  /** Mappings of a heap of ZGC: a file of shared memory. */
  static final String SHARED_PATH = "/memfd:java_heap";

  /** Heaps with compressed references end below this address. */
  private static final long COMPRESSED_END = 32L << 30;

  /**
   * Minimum share of a heap in one run of mappings. Archived objects at the end of a heap are a
   * mapping of a file, and not part of the run.
   */
  private static final double MIN_SPAN = 0.9;

  /** Part of the size by which the size of a part of a run may differ. */
  private static final int WINDOW_SHARE = 64;

  /** Part of the size by which a reservation may differ if it is as large as the heap. */
  private static final int NEAR_SHARE = 8;

  /** Part of the committed heap that one run must contain. */
  private static final int COMMITTED_SHARE = 4;

  private final long size;
  private final long minAccessible;

  private HeapSearch(HeapSize heap) {
    size = heap.reserved();
    minAccessible = heap.committed() / COMMITTED_SHARE;
  }

  /**
   * Addresses.
   *
   * @param start first address
   * @param end address after the last
   * @param accessible bytes that are not only reserved
   */
  record Range(long start, long end, long accessible) {
    boolean contains(Mapping mapping) {
      return mapping.start() >= start && mapping.end() <= end;
    }

    private long distance(long bytes) {
      return Math.abs(end - start - bytes);
    }
  }

  /** Returns the range of the heap, or null if there is none: that of ZGC is in shared memory. */
  static @Nullable Range find(List<Mapping> mappings, HeapSize heap) {
    List<Mapping> anonymous = new ArrayList<>();
    for (Mapping mapping : mappings) {
      if (mapping.path().startsWith(SHARED_PATH)) {
        return null;
      }
      if (mapping.isAnonymous() && !mapping.isExecutable()) {
        anonymous.add(mapping);
      }
    }
    HeapSearch search = new HeapSearch(heap);
    Range found = null;
    int start = 0;
    for (int i = 1; i <= anonymous.size(); i++) {
      if (i == anonymous.size() || anonymous.get(i).start() != anonymous.get(i - 1).end()) {
        Range range = search.closest(anonymous.subList(start, i));
        if (range != null && (found == null || search.isBetter(range, found))) {
          found = range;
        }
        start = i;
      }
    }
    return found;
  }

  /** Returns the part of a run that is closest to the size, or null. */
  private @Nullable Range closest(List<Mapping> run) {
    Range closest = null;
    int first = 0;
    long start = run.get(0).start();
    long fromStart = 0; // accessible bytes since the start of the run
    long fromFirst = 0; // the same since the first mapping of the window
    for (int i = 0; i < run.size(); i++) {
      Mapping last = run.get(i);
      long end = last.end();
      fromStart += accessible(last);
      fromFirst += accessible(last);
      Range window = new Range(run.get(first).start(), end, fromFirst);
      while (first < i) {
        Range next =
            new Range(run.get(first + 1).start(), end, fromFirst - accessible(run.get(first)));
        if (next.distance(size) > window.distance(size)) {
          break;
        }
        first++;
        fromFirst = next.accessible();
        window = next;
      }
      if (end - start >= MIN_SPAN * size) {
        closest = closer(closest, new Range(start, end, fromStart));
      }
      if (window.distance(size) <= size / WINDOW_SHARE) {
        closest = closer(closest, window);
      }
    }
    return closest;
  }

  private static long accessible(Mapping mapping) {
    return mapping.isReserved() ? 0 : mapping.bytes();
  }

  private @Nullable Range closer(@Nullable Range known, Range range) {
    boolean isUsed = range.accessible() >= minAccessible;
    return isUsed && (known == null || isCloser(range, known)) ? range : known;
  }

  private boolean isCloser(Range range, Range other) {
    long difference = range.distance(size) - other.distance(size);
    return difference < 0 || (difference == 0 && range.accessible() > other.accessible());
  }

  /**
   * Returns whether a range is the heap rather than another. Below 32 GiB, the class space is the
   * other large reservation. It can be exactly as large as the heap, but little of it is used.
   */
  private boolean isBetter(Range range, Range other) {
    boolean isLow = isLow(range);
    if (isLow != isLow(other)) {
      return isLow;
    }
    if (isLow && isNear(range) && isNear(other)) {
      return range.accessible() > other.accessible();
    }
    return isCloser(range, other);
  }

  private boolean isLow(Range range) {
    return size < COMPRESSED_END && range.end() <= COMPRESSED_END;
  }

  private boolean isNear(Range range) {
    return range.distance(size) <= size / NEAR_SHARE;
  }
}
