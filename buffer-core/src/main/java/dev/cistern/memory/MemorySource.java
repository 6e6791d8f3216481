/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

/** Allocates and frees the regions of pools. Implementations are thread-safe. */
public interface MemorySource {
  /**
   * Allocates a region of exactly {@code bytes} bytes. It may contain old data, but only of this
   * process.
   *
   * @throws OutOfMemoryError naming the bytes in use, the limit, the request and the setting
   */
  Region allocate(int bytes);

  /** Frees a region that this source allocated; exactly once. */
  void free(Region region);

  /** Returns the bytes allocated from this source, as it counts them. */
  long usedBytes();

  /** Returns the limit of {@link #usedBytes()}, or {@link Long#MAX_VALUE} without a limit. */
  long limitBytes();
}
