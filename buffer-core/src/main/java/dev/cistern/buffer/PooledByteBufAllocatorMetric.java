/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures of a pooled allocator (seed rows F1, F4). */
public final class PooledByteBufAllocatorMetric implements ByteBufAllocatorMetric {
  private final PooledByteBufAllocator allocator;

  PooledByteBufAllocatorMetric(PooledByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Arenas of heap memory. */
  public int numHeapArenas() {
    return allocator.settings().heapArenas();
  }

  /** Arenas of direct memory. */
  public int numDirectArenas() {
    return allocator.settings().directArenas();
  }

  /** The arenas of heap memory; what they say is of the moment when it is asked. */
  public List<PoolArenaMetric> heapArenas() {
    return arenas(allocator.poolOrNull(false));
  }

  /** The arenas of direct memory; what they say is of the moment when it is asked. */
  public List<PoolArenaMetric> directArenas() {
    return arenas(allocator.poolOrNull(true));
  }

  private static List<PoolArenaMetric> arenas(@Nullable BufferPool pool) {
    List<PoolArenaMetric> arenas = new ArrayList<>();
    if (pool != null) {
      for (int arena = 0; arena < pool.settings().arenas(); arena++) {
        arenas.add(new ArenaMetric(pool, arena));
      }
    }
    return List.copyOf(arenas);
  }

  /** Caches of living threads, of both kinds of memory. */
  public int numThreadLocalCaches() {
    return threadCaches(allocator.poolOrNull(false)) + threadCaches(allocator.poolOrNull(true));
  }

  private static int threadCaches(@Nullable BufferPool pool) {
    return pool == null ? 0 : (int) pool.snapshot().threadCaches();
  }

  /** The setting for small sizes. */
  public int smallCacheSize() {
    return allocator.settings().caches().smallCacheSize();
  }

  /** How many times 32 KiB of free runs and subpages a thread cache may keep. */
  public int normalCacheSize() {
    return allocator.settings().caches().normalCacheSize();
  }

  /** Size of a chunk in bytes. */
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
