/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

/** An allocator under measurement. Thread-safe. */
interface Subject {
  /** A direct buffer with room for {@code bytes} bytes, one byte of each page of it written. */
  Object allocate(int bytes);

  /** Releases what {@link #allocate} returned. */
  void release(Object buffer);

  /** Bytes that the allocator has from the system. */
  long reservedBytes();

  /** Bytes of slots that callers hold, or -1 where the allocator does not say. */
  long pinnedBytes();

  /** Where the reserved bytes are, in a few words; empty where the allocator does not say. */
  String detail();
}
