/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A pool of {@code /state}: its figures, its arenas with their chunks, its size classes. */
final class StatePool {
  /** Arenas that are told; the rest is counted. */
  static final int MOST_ARENAS = 64;

  private StatePool() {}

  /**
   * @param chunks the chunks of the pool; null where they cannot be told
   */
  static void write(JsonStringWriter json, PoolSnapshot pool, @Nullable CopyChunks chunks) {
    json.object().value("memory", pool.memory()).value("chunk_bytes", pool.shape().chunkBytes());
    writeMemory(json, pool);
    writeThreadCaches(json, pool);
    writeGroups(json, "allocations", pool::allocations);
    writeGroups(json, "deallocations", pool::deallocations);
    json.value("failed_allocations", pool.failedAllocations())
        .value("requested_bytes_total", pool.get(PoolFigure.REQUESTED_BYTES_TOTAL))
        .value("rounded_bytes_total", pool.get(PoolFigure.ROUNDED_BYTES_TOTAL))
        .value("remote_releases", pool.remoteReleases())
        .array("bands");
    for (Band band : Band.values()) {
      json.value(pool.chunks(band));
    }
    json.end().array("arenas");
    int shown = Math.min(MOST_ARENAS, pool.arenas());
    for (int arena = 0; arena < shown; arena++) {
      writeArena(json, pool, arena, chunks == null ? null : chunks.map());
    }
    json.end().value("arenas_not_listed", pool.arenas() - shown).array("size_classes");
    for (int sizeClass = 0; sizeClass < pool.sizeClasses(); sizeClass++) {
      if (pool.get(ClassFigure.ALLOCATIONS, sizeClass) > 0) {
        writeSizeClass(json, pool, sizeClass);
      }
    }
    json.end().end();
  }

  private static void writeMemory(JsonStringWriter json, PoolSnapshot pool) {
    json.value("reserved_bytes", pool.reservedBytes())
        .value("pinned_bytes", pool.pinnedBytes())
        .value("cached_bytes", pool.cachedBytes())
        .value("free_bytes", pool.freeBytes())
        .value("huge_reserved_bytes", pool.hugeReservedBytes())
        .value("huge_pinned_bytes", pool.hugePinnedBytes())
        .value("huge_cached_bytes", pool.hugeCachedBytes())
        .value("limit_used_bytes", pool.usedBytes());
    if (pool.limitBytes() != Long.MAX_VALUE) {
      json.value("limit_bytes", pool.limitBytes());
    }
    if (pool.residentBytes() >= 0) {
      json.value("resident_bytes", pool.residentBytes());
    }
    String way = pool.memoryWay();
    if (way != null) {
      json.value("memory_way", way);
    }
  }

  private static void writeThreadCaches(JsonStringWriter json, PoolSnapshot pool) {
    json.value("thread_caches", pool.threadCaches())
        .value("thread_cache_requests", pool.threadCacheRequests())
        .value("thread_cache_hits", pool.get(PoolFigure.THREAD_CACHE_HITS))
        .value("thread_cache_misses", pool.threadCacheMisses())
        .value("shared_cache_waits", pool.get(PoolFigure.SHARED_CACHE_WAITS));
  }

  private static void writeGroups(
      JsonStringWriter json, String name, ToLongFunction<SizeGroup> figure) {
    json.object(name);
    for (SizeGroup group : SizeGroup.values()) {
      json.value(group.label(), figure.applyAsLong(group));
    }
    json.end();
  }

  private static void writeArena(
      JsonStringWriter json, PoolSnapshot pool, int arena, @Nullable ChunkMap chunks) {
    long reserved = pool.arenaReservedBytes(arena);
    long pinned = pool.arenaPinnedBytes(arena);
    long cached = pool.get(ArenaFigure.CACHED_BYTES, arena);
    json.object()
        .value("reserved_bytes", reserved)
        .value("pinned_bytes", pinned)
        .value("cached_bytes", cached)
        .value("free_bytes", Math.max(0, reserved - pinned - cached))
        .value("thread_caches", pool.get(ArenaFigure.THREAD_CACHES, arena))
        .value("lock_waits", pool.get(ArenaFigure.LOCK_WAITS, arena))
        .array("bands");
    for (Band band : Band.values()) {
      json.value(pool.chunks(arena, band));
    }
    json.end();
    if (chunks != null && arena < chunks.arenas()) {
      writeChunks(json, chunks, arena);
    }
    json.end();
  }

  private static void writeChunks(JsonStringWriter json, ChunkMap chunks, int arena) {
    json.array("chunks");
    for (int chunk = 0; chunk < chunks.listed(arena); chunk++) {
      json.object()
          .value("band", chunks.band(arena, chunk).label())
          .value("usage", chunks.usage(arena, chunk))
          .end();
    }
    json.end().value("chunks_not_listed", chunks.notListed(arena));
  }

  private static void writeSizeClass(JsonStringWriter json, PoolSnapshot pool, int sizeClass) {
    json.object()
        .value("bytes", pool.sizeClassBytes(sizeClass))
        .value("allocations", pool.get(ClassFigure.ALLOCATIONS, sizeClass))
        .value("deallocations", pool.get(ClassFigure.DEALLOCATIONS, sizeClass))
        .value("cached_slots", pool.sizeClassCachedSlots(sizeClass))
        .value("requested_bytes", pool.get(ClassFigure.REQUESTED_BYTES, sizeClass))
        .end();
  }
}
