/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

/** An allocator under measurement. Thread-safe. */
interface Subject {
  /** Allocates a direct buffer of {@code bytes} bytes, and writes one byte of each of its pages. */
  Object allocate(int bytes);

  /** Releases what {@link #allocate} returned. */
  void release(Object buffer);

  /** Returns the bytes that the allocator has reserved from the system. */
  long reservedBytes();

  /** Returns the bytes of slots that callers hold, or -1 if the allocator does not report them. */
  long pinnedBytes();

  /** Returns a short breakdown of the reserved bytes; empty if the allocator does not report it. */
  String detail();
}
