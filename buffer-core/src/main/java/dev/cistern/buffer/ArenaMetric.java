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
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Metrics of an arena of a pool at the moment of each call. A slot counts for the arena of its
 * chunk, whichever thread releases it. Huge extents belong to no arena: the first arena reports all
 * of them, so that the sum over arenas is right.
 */
record ArenaMetric(BufferPool pool, int arena) implements PoolArenaMetric, PoolReader {
  private long ifFirst(long valueOfPool) {
    return arena == 0 ? valueOfPool : 0;
  }

  @Override
  public PoolSnapshot snapshot() {
    return pool.snapshot();
  }

  @Override
  public ChunkMap chunkMap() {
    return pool.chunkMap();
  }

  private long allocations(SizeGroup group) {
    PoolSnapshot snapshot = pool.snapshot();
    return group == SizeGroup.HUGE
        ? ifFirst(snapshot.allocations(group))
        : snapshot.arenaAllocations(arena, group);
  }

  private long deallocations(SizeGroup group) {
    PoolSnapshot snapshot = pool.snapshot();
    return group == SizeGroup.HUGE
        ? ifFirst(snapshot.deallocations(group))
        : snapshot.arenaDeallocations(arena, group);
  }

  @Override
  public long numSmallAllocations() {
    return allocations(SizeGroup.SMALL);
  }

  @Override
  public long numNormalAllocations() {
    return allocations(SizeGroup.NORMAL);
  }

  @Override
  public long numHugeAllocations() {
    return allocations(SizeGroup.HUGE);
  }

  @Override
  public long numSmallDeallocations() {
    return deallocations(SizeGroup.SMALL);
  }

  @Override
  public long numNormalDeallocations() {
    return deallocations(SizeGroup.NORMAL);
  }

  @Override
  public long numHugeDeallocations() {
    return deallocations(SizeGroup.HUGE);
  }

  /** Returns the size classes that are multiples of a number of bytes. */
  private int[] classes(int unitBytes) {
    PoolShape shape = pool.snapshot().shape();
    return Arrays.stream(shape.classBytes()).filter(size -> size % unitBytes == 0).toArray();
  }

  private int[] runClasses() {
    return classes(pool.settings().pageBytes());
  }

  private static int countBelow(long bytes, int[] classes) {
    return (int) Arrays.stream(classes).filter(size -> size < bytes).count();
  }

  private long pageBytes(int pages) {
    return (long) pages * pool.settings().pageBytes();
  }

  @Override
  public int sizeIdx2size(int sizeIdx) {
    return classes(1)[sizeIdx];
  }

  @Override
  public long pageIdx2size(int pageIdx) {
    return runClasses()[pageIdx];
  }

  @Override
  public int size2SizeIdx(int size) {
    return countBelow(size, classes(1));
  }

  @Override
  public int pages2pageIdx(int pages) {
    return countBelow(pageBytes(pages), runClasses());
  }

  @Override
  public int pages2pageIdxFloor(int pages) {
    return countBelow(pageBytes(pages) + 1, runClasses()) - 1;
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
  public List<PoolSubpageMetric> smallSubpages() {
    return pool.subpages(arena).stream()
        .<PoolSubpageMetric>map(
            subpage ->
                new Subpage(
                    subpage.slots(), subpage.freeSlots(), subpage.slotBytes(), subpage.runBytes()))
        .toList();
  }

  @Override
  public List<PoolChunkListMetric> chunkLists() {
    List<ChunkFigures> chunks = pool.chunks(arena);
    return Arrays.stream(Band.values())
        .<PoolChunkListMetric>map(band -> ChunkList.of(band, chunks))
        .toList();
  }

  @Override
  public long numActiveBytes() {
    PoolSnapshot snapshot = pool.snapshot();
    return snapshot.arenaReservedBytes(arena) + ifFirst(snapshot.hugeReservedBytes());
  }

  @Override
  public long numPinnedBytes() {
    PoolSnapshot snapshot = pool.snapshot();
    return snapshot.arenaPinnedBytes(arena) + ifFirst(snapshot.hugePinnedBytes());
  }

  private record Subpage(int maxNumElements, int numAvailable, int elementSize, int pageSize)
      implements PoolSubpageMetric {}

  private record Chunk(int usage, int chunkSize, int freeBytes) implements PoolChunkMetric {}

  private record ChunkList(int minUsage, int maxUsage, List<PoolChunkMetric> chunks)
      implements PoolChunkListMetric {
    static ChunkList of(Band band, List<ChunkFigures> all) {
      List<PoolChunkMetric> chunks =
          all.stream()
              .filter(chunk -> chunk.band() == band)
              .<PoolChunkMetric>map(
                  chunk -> new Chunk(chunk.usage(), chunk.chunkBytes(), chunk.freeBytes()))
              .toList();
      return new ChunkList(Math.max(1, band.minUsage()), band.maxUsage(), chunks);
    }

    @Override
    public Iterator<PoolChunkMetric> iterator() {
      return chunks.iterator();
    }
  }
}
