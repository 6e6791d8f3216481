/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.ArenaStat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The empty chunks that a pool keeps until they decay. */
class EmptyChunksTest {
  private static final int CHUNK = 128 << 10;
  private static final int CHUNKS = 16;

  private final TestSource source = new TestSource();
  private final List<BufferPool> pools = new ArrayList<>();

  private BufferPool open(MemoryKind kind, boolean reclaimable, long limitBytes) {
    source.limit(limitBytes);
    BufferPool pool =
        BufferPool.builder(kind, source, new BlockBinder())
            .arenas(1)
            .pageBytes(4 << 10)
            .chunkBytes(CHUNK)
            .idleBytesPerThread(0)
            .reclaimable(reclaimable)
            .maintenanceThread(false)
            .build();
    pools.add(pool);
    return pool;
  }

  private static void burst(BufferPool pool) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < CHUNKS; i++) {
      blocks.add((Block) pool.allocate(CHUNK));
    }
    blocks.forEach(Block::release);
    pool.trimCurrentThreadCache();
  }

  @AfterEach
  void nothingIsOut() {
    for (BufferPool pool : pools) {
      pool.close();
      PoolInvariants.check(pool);
    }
    assertThat(source.regions()).isZero();
  }

  @Test
  void allAreKeptIfTheyCanBeReclaimed() {
    BufferPool pool = open(MemoryKind.DIRECT, true, 1L << 30);
    burst(pool);
    assertThat(source.regions()).isEqualTo(CHUNKS);
    long allocated = pool.snapshot().sum(ArenaStat.CHUNK_ALLOCATIONS);
    burst(pool);
    assertThat(pool.snapshot().sum(ArenaStat.CHUNK_ALLOCATIONS))
        .as("used again")
        .isEqualTo(allocated);
    int freed = 0;
    while (pool.tryFreeOne()) {
      freed++;
    }
    assertThat(freed).isEqualTo(CHUNKS);
  }

  @Test
  void otherwiseAnEighthOfTheLimitIsKept() {
    BufferPool pool = open(MemoryKind.DIRECT, false, 8L * 4 * CHUNK);
    burst(pool);
    assertThat(source.regions()).isEqualTo(4);
  }

  @Test
  void oneIsAlwaysKept() {
    BufferPool pool = open(MemoryKind.DIRECT, false, (CHUNKS + 1L) * CHUNK);
    burst(pool);
    assertThat(source.regions()).isBetween(1, 2);
  }

  @Test
  void heapMemoryIsLeftToTheCollector() {
    BufferPool pool = open(MemoryKind.HEAP, true, 1L << 30);
    burst(pool);
    assertThat(source.regions()).isOne();
  }
}
