/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

/** An allocator of another library in Netty's package, like that of Apache Arrow. */
public final class OwnArenaAllocator extends PooledByteBufAllocator {
  /** Creates an allocator that prefers direct memory. */
  public OwnArenaAllocator() {
    super(true);
  }

  /** Allocates from an arena of Netty, without the methods that the agent instruments. */
  public ByteBuf ownBuffer(int bytes) {
    PoolThreadCache cache = threadCache();
    return cache.directArena.allocate(cache, bytes, bytes);
  }
}
