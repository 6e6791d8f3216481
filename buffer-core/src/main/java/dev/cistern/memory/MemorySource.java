/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

/** A source that allocates and frees the regions of pools. Implementations are thread-safe. */
public interface MemorySource {
  /**
   * Allocates a region of exactly {@code bytes} bytes. It may contain old data, but only of this
   * process.
   *
   * @throws OutOfMemoryError if there is no memory; the message contains the bytes in use, the
   *     limit, the request and the setting
   */
  Region allocate(int bytes);

  /** Frees a region that this source allocated. The caller calls this once for each region. */
  void free(Region region);

  /** Returns the bytes allocated from this source, as it counts them. */
  long usedBytes();

  /** Returns the limit of {@link #usedBytes()}, or {@link Long#MAX_VALUE} without a limit. */
  long limitBytes();
}
