/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.ChunkStats;
import dev.cistern.stats.UsageBand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The content of a map of a pool's chunks. */
class ChunkMapTest {
  private static final int PAGE_BYTES = 8192;
  private static final int CHUNK_BYTES = 256 << 10;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private BufferPool pool(int arenas) {
    return under.open(
        settings -> settings.arenas(arenas).chunkBytes(CHUNK_BYTES).idleBytesPerThread(0));
  }

  @Test
  void eachChunkIsThereWithItsBandAndItsUsage() {
    BufferPool pool = pool(1);
    under.allocate(pool, CHUNK_BYTES);
    under.allocate(pool, 20 * PAGE_BYTES);
    ChunkMap map = pool.chunkMap();
    List<ChunkStats> chunks = pool.chunks(0);
    assertThat(map.memory()).isEqualTo(pool.settings().kind().label());
    assertThat(map.listed(0)).isEqualTo(2).isEqualTo(chunks.size());
    assertThat(map.notListed(0)).isZero();
    for (int i = 0; i < chunks.size(); i++) {
      assertThat(map.band(0, i)).isEqualTo(chunks.get(i).band());
      assertThat(map.usage(0, i)).isEqualTo(chunks.get(i).usage());
    }
    assertThat(map.band(0, 1)).isEqualTo(UsageBand.Q100);
    assertThat(List.of(map.usage(0, 0), map.usage(0, 1))).containsExactly(62, 100);
  }

  @Test
  void chunksBeyondTheLimitAreCounted() {
    BufferPool pool = pool(2);
    int chunks = ChunkMap.MAX_LISTED + 100;
    under.allocate(pool, CHUNK_BYTES, chunks);
    ChunkMap map = pool.chunkMap();
    assertThat(map.arenas()).isEqualTo(2);
    int listed = map.listed(0) + map.listed(1);
    assertThat(listed).isBetween(ChunkMap.MAX_LISTED / 2, ChunkMap.MAX_LISTED);
    assertThat(listed + map.notListed(0) + map.notListed(1)).isEqualTo(chunks);
  }

  @Test
  void aPoolWithoutAChunkHasAnEmptyMap() {
    ChunkMap map = pool(3).chunkMap();
    assertThat(map.arenas()).isEqualTo(3);
    for (int arena = 0; arena < 3; arena++) {
      assertThat(map.listed(arena) + map.notListed(arena)).isZero();
    }
  }
}
