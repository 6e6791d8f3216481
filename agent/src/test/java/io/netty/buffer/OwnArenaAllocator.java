/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

/** An allocator of another library in Netty's package, as Apache Arrow has one. */
public final class OwnArenaAllocator extends PooledByteBufAllocator {
  /** Prefers direct memory. */
  public OwnArenaAllocator() {
    super(true);
  }

  /** Allocates from an arena of Netty, and not by the methods that the agent weaves. */
  public ByteBuf ownBuffer(int bytes) {
    PoolThreadCache cache = threadCache();
    return cache.directArena.allocate(cache, bytes, bytes);
  }
}
