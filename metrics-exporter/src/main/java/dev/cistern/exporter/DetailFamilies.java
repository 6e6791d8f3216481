/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.PoolSnapshot;

/** Series of single arenas and size classes: many, and so only on request. */
final class DetailFamilies {
  private DetailFamilies() {}

  static void addTo(Families to, PoolSnapshot from, String pool, Detail detail) {
    if (detail.showsArenas()) {
      for (int arena = 0; arena < from.shape().arenas(); arena++) {
        addArena(to, from, arena, pool);
      }
    }
    if (detail.showsSizes()) {
      for (int sizeClass = 0; sizeClass < from.shape().sizeClasses(); sizeClass++) {
        addSize(to, from, sizeClass, pool);
      }
    }
  }

  private static void addArena(Families to, PoolSnapshot from, int arena, String pool) {
    String memory = from.memory();
    String number = Integer.toString(arena);
    addArena(to, Metric.ARENA_RESERVED_BYTES, from, ArenaFigure.RESERVED_BYTES, arena, pool);
    addArena(to, Metric.ARENA_PINNED_BYTES, from, ArenaFigure.PINNED_BYTES, arena, pool);
    addArena(to, Metric.ARENA_CACHED_BYTES, from, ArenaFigure.CACHED_BYTES, arena, pool);
    addArena(to, Metric.ARENA_THREAD_CACHES, from, ArenaFigure.THREAD_CACHES, arena, pool);
    addArena(to, Metric.ARENA_SUBPAGES, from, ArenaFigure.SUBPAGES, arena, pool);
    long allocations =
        from.get(ArenaFigure.SMALL_ALLOCATIONS, arena)
            + from.get(ArenaFigure.NORMAL_ALLOCATIONS, arena);
    to.add(Metric.ARENA_ALLOCATIONS, allocations, pool, memory, number);
    long deallocations =
        from.get(ArenaFigure.SMALL_DEALLOCATIONS, arena)
            + from.get(ArenaFigure.NORMAL_DEALLOCATIONS, arena);
    to.add(Metric.ARENA_DEALLOCATIONS, deallocations, pool, memory, number);
    for (Band band : Band.values()) {
      long chunks = from.get(ArenaFigure.chunks(band), arena);
      to.add(Metric.ARENA_CHUNKS, chunks, pool, memory, number, band.label());
    }
  }

  private static void addArena(
      Families to, Metric metric, PoolSnapshot from, ArenaFigure figure, int arena, String pool) {
    to.add(metric, from.get(figure, arena), pool, from.memory(), Integer.toString(arena));
  }

  private static void addSize(Families to, PoolSnapshot from, int sizeClass, String pool) {
    int bytes = from.shape().sizeClassBytes(sizeClass);
    addSize(
        to,
        Metric.SIZE_ALLOCATIONS,
        from.get(ClassFigure.ALLOCATIONS, sizeClass),
        from,
        bytes,
        pool);
    addSize(
        to,
        Metric.SIZE_DEALLOCATIONS,
        from.get(ClassFigure.DEALLOCATIONS, sizeClass),
        from,
        bytes,
        pool);
    long cached = from.get(ClassFigure.CACHED_SLOTS, sizeClass) * bytes;
    addSize(to, Metric.SIZE_CACHED_BYTES, cached, from, bytes, pool);
    addSize(
        to,
        Metric.SIZE_REQUESTED_BYTES,
        from.get(ClassFigure.REQUESTED_BYTES, sizeClass),
        from,
        bytes,
        pool);
    addSize(to, Metric.SIZE_MISSES, from.get(ClassFigure.MISSES, sizeClass), from, bytes, pool);
  }

  private static void addSize(
      Families to, Metric metric, long value, PoolSnapshot from, int bytes, String pool) {
    to.add(metric, value, pool, from.memory(), Integer.toString(bytes));
  }
}
