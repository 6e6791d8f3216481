/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The size classes of a pool: which slot a request gets. Sizes are in bytes. */
public interface SizeClassesMetric {
  /** Returns the size of size class {@code sizeIdx}, from 0. */
  int sizeIdx2size(int sizeIdx);

  /** As {@link #sizeIdx2size}, computed and not looked up. */
  default int sizeIdx2sizeCompute(int sizeIdx) {
    return sizeIdx2size(sizeIdx);
  }

  /** Returns the size of run class {@code pageIdx}, from 0: the classes that are whole pages. */
  long pageIdx2size(int pageIdx);

  /** As {@link #pageIdx2size}, computed and not looked up. */
  default long pageIdx2sizeCompute(int pageIdx) {
    return pageIdx2size(pageIdx);
  }

  /**
   * Returns the size class that a request gets; the number of classes where that is above all of
   * them.
   */
  int size2SizeIdx(int size);

  /** Returns the smallest run class of at least {@code pages} pages. */
  int pages2pageIdx(int pages);

  /** Returns the largest run class of at most {@code pages} pages. */
  int pages2pageIdxFloor(int pages);

  /** Returns the size that a request is rounded up to. */
  int normalizeSize(int size);
}
