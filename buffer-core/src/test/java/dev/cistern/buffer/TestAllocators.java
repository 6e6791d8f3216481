/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import java.util.ArrayList;
import java.util.List;

/**
 * The allocators that tests share. They are small, so that chunks and arenas are often allocated
 * and freed.
 */
public final class TestAllocators {
  private static final int ARENAS = 2;
  private static final int PAGE_BYTES = 8192;
  private static final int MAX_ORDER = 7;

  /** Allocator with thread caches. */
  public static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, ARENAS, ARENAS, PAGE_BYTES, MAX_ORDER);

  /** Allocator without thread caches. */
  public static final PooledByteBufAllocator UNCACHED =
      new PooledByteBufAllocator(true, ARENAS, ARENAS, PAGE_BYTES, MAX_ORDER, 0, 0, false);

  /** Allocator without pools. */
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
