/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/**
 * The use of the chunk that contains a buffer.
 *
 * @param chunk the identity of the chunk, compared by {@code ==}; no method of it is called
 * @param usedBytes bytes of the chunk that are in use, by any buffers or by caches of threads
 * @param chunkBytes bytes of the chunk
 */
public record ChunkUse(Object chunk, long usedBytes, long chunkBytes) {
  private static final int NEARLY_EMPTY_DIVISOR = 10;

  /** Returns whether the chunk is in use, and up to a tenth of it is. */
  boolean isNearlyEmpty() {
    return usedBytes > 0 && usedBytes * NEARLY_EMPTY_DIVISOR <= chunkBytes;
  }
}
