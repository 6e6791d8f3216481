/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

/** Where a pool's regions come from and go back to. Implementations are thread-safe. */
public interface MemorySource {
  /**
   * Takes a region of exactly {@code bytes} bytes, uninitialised where the JVM allows that.
   *
   * @throws OutOfMemoryError naming the bytes in use, the limit, the request and the setting
   */
  Region allocate(int bytes);

  /** Gives back a region that this source allocated; exactly once. */
  void free(Region region);

  /** Bytes that are out now, as this source counts them. */
  long usedBytes();

  /** The most bytes that may be out, or {@link Long#MAX_VALUE} where there is no limit. */
  long limitBytes();
}
