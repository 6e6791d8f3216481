/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/**
 * The use of the chunk that contains a buffer.
 *
 * @param chunk the identity of the chunk, compared by {@code ==}
 * @param usedBytes bytes of the chunk that buffers or thread caches use
 * @param chunkBytes bytes of the chunk
 */
public record ChunkUse(Object chunk, long usedBytes, long chunkBytes) {
  private static final int NEARLY_EMPTY_DIVISOR = 10;

  /** Returns whether up to a tenth of the chunk is in use, and not nothing. */
  boolean isNearlyEmpty() {
    return usedBytes > 0 && usedBytes * NEARLY_EMPTY_DIVISOR <= chunkBytes;
  }
}
