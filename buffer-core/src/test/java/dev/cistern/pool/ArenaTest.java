/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.Region;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.UsageBand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Chunks in usage bands. Runs are not cached here, so that each call changes the chunks. */
class ArenaTest {
  private static final int MIB = 1 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open(settings -> settings.idleBytesPerThread(0));

  @Test
  @Tag("A4")
  void aChunkRisesAndFallsWithItsUsage() {
    List<Block> blocks = new ArrayList<>();
    for (UsageBand band : List.of(UsageBand.Q000, UsageBand.Q025, UsageBand.Q050, UsageBand.Q100)) {
      blocks.add(under.allocate(pool, MIB));
      assertThat(pool.snapshot().chunks(band)).as(band.label()).isOne();
    }

    under.release(blocks.get(0));
    assertThat(pool.snapshot().chunks(UsageBand.Q075)).isOne();
    under.release(blocks.subList(1, 3));
    assertThat(pool.snapshot().chunks(UsageBand.Q025)).isOne();
    under.release(blocks.get(3));
    assertThat(pool.snapshot().chunks(UsageBand.QINIT)).isOne();
  }

  @Test
  @Tag("A4")
  void aFreeCrossesSeveralBandsAtOnce() {
    Block most = under.allocate(pool, 3 * MIB + MIB / 2);
    Block rest = under.allocate(pool, MIB / 4);
    assertThat(pool.snapshot().chunks(UsageBand.Q050)).isOne();
    under.release(most);
    assertThat(pool.snapshot().chunks(UsageBand.Q000)).isOne();
    under.release(rest);
  }

  @Test
  @Tag("A4")
  void aNewChunkIsTakenOnlyIfNoChunkHasRoom() {
    List<Block> halves = under.allocate(pool, 2 * MIB, 4);
    under.release(halves.get(0));
    // One chunk is half full, the other full: the next run must not open a third.
    under.allocate(pool, MIB);
    under.allocate(pool, MIB);
    assertThat(pool.snapshot().sum(ArenaStat.CHUNK_ALLOCATIONS)).isEqualTo(2);
    under.allocate(pool, MIB);
    assertThat(pool.snapshot().sum(ArenaStat.CHUNK_ALLOCATIONS)).isEqualTo(3);
  }

  @Test
  @Tag("A4")
  void fullChunksAreNeverSearched() {
    List<Block> quarters = under.allocate(pool, MIB, 4 * 30);
    assertThat(pool.snapshot().chunks(UsageBand.Q100)).isEqualTo(30);
    long before = pool.arenas[0].chunks.searches;
    under.allocate(pool, MIB); // in a new chunk, without a search of the full ones
    assertThat(pool.arenas[0].chunks.searches).as("only the new one").isEqualTo(before + 1);
    Block moving = quarters.get(4 * 29);
    for (int i = 0; i < 100; i++) {
      under.release(moving);
      moving = under.allocate(pool, MIB);
    }
    assertThat(pool.arenas[0].chunks.searches).isEqualTo(before + 101);
  }

  @Test
  @Tag("A4")
  void aChunkWithoutALongEnoughRunIsSearchedOnceUntilARunIsFreed() {
    int page = PoolUnderTest.PAGE;
    List<Block> runs = under.allocate(pool, 4 * page, 2 * PoolUnderTest.CHUNK / (4 * page));
    for (int i = 0; i < runs.size(); i += 2) {
      under.release(runs.get(i)); // every chunk is half free, in runs of four pages
    }
    under.allocate(pool, MIB); // finds room in neither, and gets a new chunk
    long before = pool.arenas[0].chunks.searches;
    under.allocate(pool, MIB, 3);
    assertThat(pool.arenas[0].chunks.searches).as("only the new one").isEqualTo(before + 3);
  }

  @Test
  @Tag("A4")
  void theOldestChunkIsFilledFirstSoThatTheYoungestDrains() {
    List<Block> quarters = under.allocate(pool, MIB, 12);
    assertThat(under.source.regions()).isEqualTo(3);
    Region oldest = quarters.get(0).group.region();
    under.release(quarters.get(0));
    under.release(quarters.subList(9, 12)); // the youngest chunk is nearly empty
    Block next = under.allocate(pool, MIB);
    assertThat(next.group.region()).isSameAs(oldest);
    under.release(quarters.get(8));
    assertThat(pool.snapshot().chunks(UsageBand.Q100)).isEqualTo(2);
    // Chunks change position when an earlier one is freed.
    under.release(quarters.subList(4, 8));
    under.release(under.allocate(pool, MIB, 9));
    under.release(next);
    assertThat(PoolUnderTest.check(pool).pinnedBytes()).isEqualTo(3 * MIB);
  }

  @Test
  @Tag("A4")
  void oneEmptyChunkIsKeptAndTheRestIsFreedAtOnce() {
    List<Block> blocks = under.allocate(pool, 4 * MIB, 5);
    assertThat(under.source.regions()).isEqualTo(5);
    under.release(blocks);
    assertThat(under.source.regions()).isEqualTo(1);
    assertThat(pool.snapshot().sum(ArenaStat.CHUNK_DEALLOCATIONS)).isEqualTo(4);
  }

  @Test
  void theSpareChunkIsFreedAfterItsDecay() {
    BufferPool impatient = under.open(settings -> settings.idleBytesPerThread(0).decayMillis(0));
    under.release(under.allocate(impatient, MIB));
    assertThat(impatient.snapshot().reservedBytes()).isEqualTo(PoolUnderTest.CHUNK);
    impatient.tick();
    // The chunk never left qInit; the pool must not keep it forever.
    assertThat(impatient.snapshot().reservedBytes()).isZero();
  }

  @Test
  void aPatientPoolKeepsTheSpareOverATick() {
    under.release(under.allocate(pool, MIB));
    pool.tick();
    assertThat(pool.snapshot().reservedBytes()).isEqualTo(PoolUnderTest.CHUNK);
  }

  @Test
  @Tag("A4")
  void chunksAreDestroyedOutsideTheArenasLock() {
    List<Block> blocks = under.allocate(pool, 4 * MIB, 2);
    List<PoolSnapshot> seen = new ArrayList<>();
    // A snapshot takes the arena's lock: from another thread it would hang if the lock were held.
    under.source.onFree =
        () ->
            seen.add(
                CompletableFuture.supplyAsync(pool::snapshot)
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join());
    under.release(blocks);
    under.source.onFree = () -> {};
    assertThat(seen).hasSize(1);
  }

  @Test
  @Tag("A3")
  void fillsAChunkToTheLastPage() {
    int half = PoolUnderTest.CHUNK / PoolUnderTest.PAGE / 4;
    List<Block> blocks = under.allocate(pool, 4 * PoolUnderTest.PAGE, half);
    assertThat(under.source.regions()).isEqualTo(1);
    assertThat(pool.snapshot().chunks(UsageBand.Q100)).isOne();
    assertThat(pool.snapshot().freeBytes()).isZero();
    under.release(blocks);
  }
}
