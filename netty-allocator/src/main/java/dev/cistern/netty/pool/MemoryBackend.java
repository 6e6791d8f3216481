/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.Region;

/** A source of native memory that counts as Netty's own chunks do in this JVM. Thread-safe. */
interface MemoryBackend {
  /**
   * Allocates a region.
   *
   * @throws OutOfMemoryError as for one of Netty's own chunks
   */
  Region allocate(int bytes);

  /** Frees a region, once. It no longer counts. */
  void free(Region region);

  /** Returns whether the JVM counts the regions as direct buffers. */
  boolean isInJvmAccount();

  /** Returns the backend for this copy of Netty in this JVM. */
  static MemoryBackend ofHost() {
    MemoryBackend counted = CountedBackend.find();
    return counted != null ? counted : new NettyBackend();
  }
}
