/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The size classes of a pool, which determine the slot of a request. Sizes are in bytes. */
public interface SizeClassesMetric {
  /** Returns the size of size class {@code sizeIdx}, from 0. */
  int sizeIdx2size(int sizeIdx);

  /**
   * Returns {@link #sizeIdx2size}. In Netty, this method computes the size instead of looking it
   * up.
   */
  default int sizeIdx2sizeCompute(int sizeIdx) {
    return sizeIdx2size(sizeIdx);
  }

  /**
   * Returns the size of run class {@code pageIdx}, from 0. Run classes are the classes of whole
   * pages.
   */
  long pageIdx2size(int pageIdx);

  /**
   * Returns {@link #pageIdx2size}. In Netty, this method computes the size instead of looking it
   * up.
   */
  default long pageIdx2sizeCompute(int pageIdx) {
    return pageIdx2size(pageIdx);
  }

  /**
   * Returns the size class for a request, or the number of classes if the request is above all of
   * them.
   */
  int size2SizeIdx(int size);

  /** Returns the smallest run class of at least {@code pages} pages. */
  int pages2pageIdx(int pages);

  /** Returns the largest run class of up to {@code pages} pages. */
  int pages2pageIdxFloor(int pages);

  /** Returns the size of a request, rounded up to its size class. */
  int normalizeSize(int size);
}
