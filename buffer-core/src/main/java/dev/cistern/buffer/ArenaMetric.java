/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.ChunkFigures;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolReader;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import dev.cistern.stats.SubpageFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;

/**
 * An arena of a pool, at the moment when a method is called. Slots count where they lie, whichever
 * thread released them. Huge extents lie in no arena: the first one shows them all, so that a sum
 * over arenas is right.
 */
final class ArenaMetric extends CountedArenaMetric implements PoolReader {
  private final BufferPool pool;
  private final int arena;

  ArenaMetric(BufferPool pool, int arena) {
    this.pool = pool;
    this.arena = arena;
  }

  @Override
  public PoolSnapshot snapshot() {
    return pool.snapshot();
  }

  @Override
  public ChunkMap chunkMap() {
    return pool.chunkMap();
  }

  private long allocations(PoolSnapshot snapshot, SizeGroup group) {
    return group == SizeGroup.HUGE
        ? inFirst(snapshot.allocations(group))
        : snapshot.arenaAllocations(arena, group);
  }

  private long deallocations(PoolSnapshot snapshot, SizeGroup group) {
    return group == SizeGroup.HUGE
        ? inFirst(snapshot.deallocations(group))
        : snapshot.arenaDeallocations(arena, group);
  }

  private long inFirst(long ofThePool) {
    return arena == 0 ? ofThePool : 0;
  }

  private long active(PoolSnapshot snapshot, SizeGroup group) {
    return Math.max(0, allocations(snapshot, group) - deallocations(snapshot, group));
  }

  private long sum(ToLongBiFunction<PoolSnapshot, SizeGroup> count, SizeGroup... groups) {
    PoolSnapshot snapshot = pool.snapshot();
    return Arrays.stream(groups).mapToLong(group -> count.applyAsLong(snapshot, group)).sum();
  }

  @Override
  long allocations(SizeGroup... groups) {
    return sum(this::allocations, groups);
  }

  @Override
  long deallocations(SizeGroup... groups) {
    return sum(this::deallocations, groups);
  }

  @Override
  long active(SizeGroup... groups) {
    return sum(this::active, groups);
  }

  /** The size classes that are multiples of so many bytes. */
  private int[] classes(int bytes) {
    PoolShape shape = pool.snapshot().shape();
    return IntStream.range(0, shape.sizeClasses())
        .map(shape::sizeClassBytes)
        .filter(size -> size % bytes == 0)
        .toArray();
  }

  private int[] runClasses() {
    return classes(pool.settings().pageBytes());
  }

  private static int firstOfAtLeast(long bytes, int[] classes) {
    int first = 0;
    while (first < classes.length && classes[first] < bytes) {
      first++;
    }
    return first;
  }

  private long bytesOf(int pages) {
    return (long) pages * pool.settings().pageBytes();
  }

  @Override
  public int sizeIdx2size(int sizeIdx) {
    return classes(1)[sizeIdx];
  }

  @Override
  public int sizeIdx2sizeCompute(int sizeIdx) {
    return sizeIdx2size(sizeIdx);
  }

  @Override
  public long pageIdx2size(int pageIdx) {
    return runClasses()[pageIdx];
  }

  @Override
  public long pageIdx2sizeCompute(int pageIdx) {
    return pageIdx2size(pageIdx);
  }

  @Override
  public int size2SizeIdx(int size) {
    return firstOfAtLeast(size, classes(1));
  }

  @Override
  public int pages2pageIdx(int pages) {
    return firstOfAtLeast(bytesOf(pages), runClasses());
  }

  @Override
  public int pages2pageIdxFloor(int pages) {
    return firstOfAtLeast(bytesOf(pages) + 1, runClasses()) - 1;
  }

  @Override
  public int normalizeSize(int size) {
    return pool.usableBytes(size);
  }

  @Override
  public int numThreadCaches() {
    return (int) pool.snapshot().get(ArenaFigure.THREAD_CACHES, arena);
  }

  @Override
  public int numSmallSubpages() {
    return (int) pool.snapshot().get(ArenaFigure.SUBPAGES, arena);
  }

  @Override
  public int numChunkLists() {
    return Band.values().length;
  }

  @Override
  public List<PoolSubpageMetric> smallSubpages() {
    List<PoolSubpageMetric> subpages = new ArrayList<>();
    for (SubpageFigures figures : pool.subpages(arena)) {
      subpages.add(
          new Subpage(
              figures.slots(), figures.freeSlots(), figures.slotBytes(), figures.runBytes()));
    }
    return subpages;
  }

  @Override
  public List<PoolChunkListMetric> chunkLists() {
    List<ChunkFigures> chunks = pool.chunks(arena);
    List<PoolChunkListMetric> lists = new ArrayList<>();
    for (Band band : Band.values()) {
      List<PoolChunkMetric> listed = new ArrayList<>();
      for (ChunkFigures figures : chunks) {
        if (figures.band() == band) {
          listed.add(new Chunk(figures.usage(), figures.chunkBytes(), figures.freeBytes()));
        }
      }
      lists.add(new ChunkList(band, List.copyOf(listed)));
    }
    return lists;
  }

  @Override
  public long numActiveBytes() {
    PoolSnapshot snapshot = pool.snapshot();
    return snapshot.arenaReservedBytes(arena) + inFirst(snapshot.hugeReservedBytes());
  }

  @Override
  public long numPinnedBytes() {
    PoolSnapshot snapshot = pool.snapshot();
    return snapshot.arenaPinnedBytes(arena) + inFirst(snapshot.hugePinnedBytes());
  }

  private record Subpage(int maxNumElements, int numAvailable, int elementSize, int pageSize)
      implements PoolSubpageMetric {}

  private record Chunk(int usage, int chunkSize, int freeBytes) implements PoolChunkMetric {}

  private record ChunkList(Band band, List<PoolChunkMetric> chunks) implements PoolChunkListMetric {
    @Override
    public int minUsage() {
      return Math.max(1, band.minUsage());
    }

    @Override
    public int maxUsage() {
      return Math.min(100, band.maxUsage());
    }

    @Override
    public Iterator<PoolChunkMetric> iterator() {
      return chunks.iterator();
    }
  }
}
