/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

/**
 * The allocator under test, as every benchmark calls it. A fork makes subjects of one class only,
 * so that the compiler sees one target at each call, whichever allocator it is; buffers pass as
 * {@code Object}, at the same price for all.
 */
abstract class Subject {
  /** A buffer in native memory; may grow. */
  abstract Object direct(int bytes);

  /** A buffer on the heap; may grow. */
  abstract Object heap(int bytes);

  /** Gives it back: true where that was the last reference. */
  abstract boolean release(Object buffer);

  /** Writes one byte, with the checks that the buffer makes by default. */
  abstract void setByte(Object buffer, int index, int value);

  /** Appends all of {@code source}; the buffer grows where it must. */
  abstract void append(Object buffer, byte[] source);
}
