/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.ChunkStats;
import dev.cistern.stats.PoolLayout;
import dev.cistern.stats.PoolReader;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import dev.cistern.stats.UsageBand;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToLongBiFunction;

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

  private long allocations(PoolSnapshot snapshot, SizeGroup group) {
    return group == SizeGroup.HUGE
        ? ifFirst(snapshot.allocations(group))
        : snapshot.arenaAllocations(arena, group);
  }

  private long deallocations(PoolSnapshot snapshot, SizeGroup group) {
    return group == SizeGroup.HUGE
        ? ifFirst(snapshot.deallocations(group))
        : snapshot.arenaDeallocations(arena, group);
  }

  private long active(PoolSnapshot snapshot, SizeGroup group) {
    return Math.max(0, allocations(snapshot, group) - deallocations(snapshot, group));
  }

  /** Returns a sum over size groups, all of one snapshot. */
  private long sum(ToLongBiFunction<PoolSnapshot, SizeGroup> count, SizeGroup... groups) {
    PoolSnapshot snapshot = pool.snapshot();
    return Arrays.stream(groups).mapToLong(group -> count.applyAsLong(snapshot, group)).sum();
  }

  @Override
  public long numAllocations() {
    return sum(this::allocations, SizeGroup.values());
  }

  @Override
  public long numSmallAllocations() {
    return sum(this::allocations, SizeGroup.SMALL);
  }

  @Override
  public long numNormalAllocations() {
    return sum(this::allocations, SizeGroup.NORMAL);
  }

  @Override
  public long numHugeAllocations() {
    return sum(this::allocations, SizeGroup.HUGE);
  }

  @Override
  public long numDeallocations() {
    return sum(this::deallocations, SizeGroup.values());
  }

  @Override
  public long numSmallDeallocations() {
    return sum(this::deallocations, SizeGroup.SMALL);
  }

  @Override
  public long numNormalDeallocations() {
    return sum(this::deallocations, SizeGroup.NORMAL);
  }

  @Override
  public long numHugeDeallocations() {
    return sum(this::deallocations, SizeGroup.HUGE);
  }

  @Override
  public long numActiveAllocations() {
    return sum(this::active, SizeGroup.values());
  }

  @Override
  public long numActiveSmallAllocations() {
    return sum(this::active, SizeGroup.SMALL);
  }

  @Override
  public long numActiveNormalAllocations() {
    return sum(this::active, SizeGroup.NORMAL);
  }

  @Override
  public long numActiveHugeAllocations() {
    return sum(this::active, SizeGroup.HUGE);
  }

  /** Returns the size classes that are multiples of a number of bytes. */
  private int[] classes(int unitBytes) {
    PoolLayout layout = pool.snapshot().layout();
    return Arrays.stream(layout.classBytes()).filter(size -> size % unitBytes == 0).toArray();
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
    return (int) pool.snapshot().get(ArenaStat.THREAD_CACHES, arena);
  }

  @Override
  public int numSmallSubpages() {
    return (int) pool.snapshot().get(ArenaStat.SUBPAGES, arena);
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
    List<ChunkStats> chunks = pool.chunks(arena);
    return Arrays.stream(UsageBand.values())
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
    static ChunkList of(UsageBand band, List<ChunkStats> all) {
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
