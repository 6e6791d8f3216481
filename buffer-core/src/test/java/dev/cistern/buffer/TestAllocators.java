/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import java.util.ArrayList;
import java.util.List;

/** The allocators that tests share: small ones, so that chunks and arenas come and go. */
public final class TestAllocators {
  private static final int ARENAS = 2;
  private static final int PAGE_BYTES = 8192;
  private static final int MAX_ORDER = 7;

  /** With thread caches. */
  public static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, ARENAS, ARENAS, PAGE_BYTES, MAX_ORDER);

  /** Without. */
  public static final PooledByteBufAllocator UNCACHED =
      new PooledByteBufAllocator(true, ARENAS, ARENAS, PAGE_BYTES, MAX_ORDER, 0, 0, false);

  /** Not pooled. */
  public static final UnpooledByteBufAllocator UNPOOLED = new UnpooledByteBufAllocator(true);

  private TestAllocators() {}

  static List<BufferPool> pools() {
    List<BufferPool> pools = new ArrayList<>();
    for (PooledByteBufAllocator allocator : List.of(POOLED, UNCACHED)) {
      pools.add(allocator.pool(true));
      pools.add(allocator.pool(false));
    }
    return pools;
  }
}
