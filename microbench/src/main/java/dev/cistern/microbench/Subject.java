/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

/**
 * The allocator under test, as every benchmark calls it. A fork creates subjects of one class only,
 * so that every call site has a single target for the compiler. Buffers are passed as {@code
 * Object}, at the same cost for all allocators.
 */
abstract class Subject {
  /** Allocates a buffer in native memory, which may grow. */
  abstract Object direct(int bytes);

  /** Allocates a buffer on the heap, which may grow. */
  abstract Object heap(int bytes);

  /** Releases the buffer. Returns whether that was the last reference. */
  abstract boolean release(Object buffer);

  /** Writes one byte, with the checks that the buffer makes by default. */
  abstract void setByte(Object buffer, int index, int value);

  /** Appends all of {@code source}; the buffer grows if necessary. */
  abstract void append(Object buffer, byte[] source);
}
