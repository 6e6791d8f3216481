/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Metrics of a pooled allocator. */
public final class PooledByteBufAllocatorMetric implements ByteBufAllocatorMetric {
  private final PooledByteBufAllocator allocator;

  PooledByteBufAllocatorMetric(PooledByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns the number of arenas of heap memory. */
  public int numHeapArenas() {
    return allocator.settings().heapArenas();
  }

  /** Returns the number of arenas of direct memory. */
  public int numDirectArenas() {
    return allocator.settings().directArenas();
  }

  /** Returns the arenas of heap memory; their metrics are those at the moment of each call. */
  public List<PoolArenaMetric> heapArenas() {
    return arenas(allocator.poolOrNull(false));
  }

  /** Returns the arenas of direct memory; their metrics are those at the moment of each call. */
  public List<PoolArenaMetric> directArenas() {
    return arenas(allocator.poolOrNull(true));
  }

  private static List<PoolArenaMetric> arenas(@Nullable BufferPool pool) {
    List<PoolArenaMetric> arenas = new ArrayList<>();
    for (int arena = 0; pool != null && arena < pool.settings().arenas(); arena++) {
      arenas.add(new ArenaMetric(pool, arena));
    }
    return List.copyOf(arenas);
  }

  /** Returns the number of caches of live threads, for both kinds of memory. */
  public int numThreadLocalCaches() {
    return (int) allocator.pools().mapToLong(pool -> pool.snapshot().threadCaches()).sum();
  }

  /** Returns {@link CacheSettings#smallCacheSize}. */
  public int smallCacheSize() {
    return allocator.settings().caches().smallCacheSize();
  }

  /** Returns {@link CacheSettings#normalCacheSize}. */
  public int normalCacheSize() {
    return allocator.settings().caches().normalCacheSize();
  }

  /** Returns the size of a chunk in bytes. */
  public int chunkSize() {
    return allocator.chunkSize();
  }

  @Override
  public long usedHeapMemory() {
    return allocator.usedBytes(false);
  }

  @Override
  public long usedDirectMemory() {
    return allocator.usedBytes(true);
  }

  @Override
  public String toString() {
    return ("usedHeapMemory: %s, usedDirectMemory: %s, numHeapArenas: %s, numDirectArenas: %s,"
            + " numThreadLocalCaches: %s, chunkSize: %s")
        .formatted(
            usedHeapMemory(),
            usedDirectMemory(),
            numHeapArenas(),
            numDirectArenas(),
            numThreadLocalCaches(),
            chunkSize());
  }
}
