/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the metric interfaces report the completed operations. */
@Tag("F1")
@Tag("F2")
@Tag("F3")
@Tag("F4")
@Unwatched("slots in quarantine are not released yet")
class AllocatorMetricTest {
  private static final int PAGE_BYTES = 8192;
  private static final int MAX_ORDER = 7;
  private static final int CHUNK_BYTES = PAGE_BYTES << MAX_ORDER;

  private PooledByteBufAllocator allocator;

  @BeforeEach
  void makeAllocator() {
    allocator = new PooledByteBufAllocator(true, 2, 2, PAGE_BYTES, MAX_ORDER);
  }

  private long sum(ToLongFunction<PoolArenaMetric> figure) {
    return allocator.metric().directArenas().stream().mapToLong(figure).sum();
  }

  @Test
  void countsAllocationsAndReleasesBySizeGroup() {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(allocator.directBuffer(100));
      held.add(allocator.directBuffer(100_000));
    }
    held.add(allocator.directBuffer(CHUNK_BYTES + 1));
    assertThat(sum(PoolArenaMetric::numSmallAllocations)).isEqualTo(10);
    assertThat(sum(PoolArenaMetric::numNormalAllocations)).isEqualTo(10);
    assertThat(sum(PoolArenaMetric::numHugeAllocations)).isEqualTo(1);
    assertThat(sum(PoolArenaMetric::numAllocations)).isEqualTo(21);
    assertThat(sum(PoolArenaMetric::numDeallocations)).isZero();
    assertThat(sum(PoolArenaMetric::numActiveAllocations)).isEqualTo(21);
    assertThat(sum(PoolArenaMetric::numPinnedBytes))
        .isGreaterThanOrEqualTo(10 * 100 + 10 * 100_000 + CHUNK_BYTES + 1);
    held.forEach(ByteBuf::release);
    assertThat(sum(PoolArenaMetric::numSmallDeallocations)).isEqualTo(10);
    assertThat(sum(PoolArenaMetric::numNormalDeallocations)).isEqualTo(10);
    assertThat(sum(PoolArenaMetric::numHugeDeallocations)).isEqualTo(1);
    assertThat(sum(PoolArenaMetric::numActiveAllocations)).isZero();
    assertThat(sum(PoolArenaMetric::numPinnedBytes)).isZero();
  }

  @Test
  void reportsTheSizeClasses() {
    PoolArenaMetric arena = allocator.metric().directArenas().get(0);
    for (int size : new int[] {0, 1, 16, 17, 100, 5000, PAGE_BYTES, 100_000, CHUNK_BYTES}) {
      int sizeClass = arena.size2SizeIdx(size);
      int slot = arena.sizeIdx2size(sizeClass);
      assertThat(slot).isGreaterThanOrEqualTo(size).isEqualTo(arena.normalizeSize(size));
      assertThat(arena.sizeIdx2sizeCompute(sizeClass)).isEqualTo(slot);
      assertThat(arena.size2SizeIdx(slot)).isEqualTo(sizeClass);
      ByteBuf buffer = allocator.directBuffer(size);
      assertThat(buffer.maxFastWritableBytes()).isEqualTo(slot);
      buffer.release();
    }
    assertThat(arena.pageIdx2size(0)).isEqualTo(PAGE_BYTES);
    assertThat(arena.pages2pageIdx(1)).isZero();
    for (int pages : new int[] {1, 2, 9, 128}) {
      long above = arena.pageIdx2size(arena.pages2pageIdx(pages));
      long below = arena.pageIdx2sizeCompute(arena.pages2pageIdxFloor(pages));
      assertThat((long) pages * PAGE_BYTES).isBetween(below, above);
    }
    assertThat(arena.pages2pageIdxFloor(9)).isEqualTo(arena.pages2pageIdx(9) - 1);
    assertThat(arena.size2SizeIdx(CHUNK_BYTES + 1))
        .as("none")
        .isEqualTo(arena.size2SizeIdx(CHUNK_BYTES) + 1);
  }

  @Test
  void countsOperationsOfOtherThreads() {
    List<CompletableFuture<ByteBuf>> made = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      made.add(CompletableFuture.supplyAsync(() -> allocator.directBuffer(100)));
    }
    made.forEach(CompletableFuture::join);
    assertThat(sum(PoolArenaMetric::numSmallAllocations)).isEqualTo(100);
    made.forEach(buffer -> buffer.join().release());
    assertThat(sum(PoolArenaMetric::numSmallDeallocations)).isEqualTo(100);
    assertThat(sum(PoolArenaMetric::numActiveSmallAllocations)).isZero();
  }

  @Test
  void bytesAreThoseTakenFromTheSource() {
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    ByteBuf buffer = allocator.directBuffer(100);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(CHUNK_BYTES);
    assertThat(sum(PoolArenaMetric::numActiveBytes)).isEqualTo(CHUNK_BYTES);
    assertThat(allocator.metric().usedHeapMemory()).isZero();
    assertThat(allocator.metric().numThreadLocalCaches()).isEqualTo(1);
    assertThat(sum(PoolArenaMetric::numThreadCaches)).isEqualTo(1);
    assertThat(allocator.dumpStats()).contains("pinned " + 112 + " ");
    assertThat(allocator.metric().toString()).contains("usedDirectMemory: " + CHUNK_BYTES);
    buffer.release();
  }

  @Test
  void chunkListsShowTheirBandsAsPercentages() {
    PoolArenaMetric arena = allocator.metric().directArenas().get(0);
    assertThat(arena.numChunkLists()).isEqualTo(6);
    assertThat(arena.chunkLists().stream().map(PoolChunkListMetric::minUsage))
        .containsExactly(1, 1, 25, 50, 75, 100);
    assertThat(arena.chunkLists().stream().map(PoolChunkListMetric::maxUsage))
        .containsExactly(25, 50, 75, 100, 100, 100);
  }

  @Test
  void chunksShowTheirUsage() {
    ByteBuf half = allocator.directBuffer(CHUNK_BYTES / 2);
    List<PoolChunkMetric> chunks = chunks();
    assertThat(chunks).hasSize(1);
    assertThat(chunks.get(0).usage()).isEqualTo(50);
    assertThat(chunks.get(0).chunkSize()).isEqualTo(CHUNK_BYTES);
    assertThat(chunks.get(0).freeBytes()).isEqualTo(CHUNK_BYTES / 2);
    ByteBuf rest = allocator.directBuffer(CHUNK_BYTES / 2);
    assertThat(chunks().get(0).usage()).isEqualTo(100);
    assertThat(chunks().get(0).freeBytes()).isZero();
    half.release();
    rest.release();
  }

  private List<PoolChunkMetric> chunks() {
    List<PoolChunkMetric> chunks = new ArrayList<>();
    for (PoolArenaMetric arena : allocator.metric().directArenas()) {
      arena.chunkLists().forEach(list -> list.forEach(chunks::add));
    }
    return chunks;
  }

  @Test
  void subpagesShowTheirSlots() {
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(allocator.directBuffer(1024));
    }
    List<PoolSubpageMetric> subpages = new ArrayList<>();
    for (PoolArenaMetric arena : allocator.metric().directArenas()) {
      assertThat(arena.numSmallSubpages()).isEqualTo(arena.smallSubpages().size());
      subpages.addAll(arena.smallSubpages());
    }
    assertThat(subpages).hasSize(1);
    PoolSubpageMetric subpage = subpages.get(0);
    assertThat(subpage.elementSize()).isEqualTo(1024);
    assertThat(subpage.maxNumElements() - subpage.numAvailable()).isEqualTo(3);
    assertThat(subpage.pageSize()).isGreaterThanOrEqualTo(subpage.maxNumElements() * 1024);
    held.forEach(ByteBuf::release);
  }
}
