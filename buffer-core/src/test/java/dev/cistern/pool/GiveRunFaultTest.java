/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run is to be given back to its arena, and that fails before anything is done: for the first
 * run, or for the second, and so on. What was released is released; nothing stays behind once the
 * janitor has come.
 */
@Tag("A15")
@Tag("F2")
class GiveRunFaultTest {
  private static final int[] SIZES = {100, 5000, 40_000, 300_000};
  private static final int[] COUNTS = {400, 20, 6, 3};
  private static final int SMALL_SIZES = 2;

  /** Who gives runs back. */
  private enum Way {
    THE_OWNER_RELEASES,
    THE_OWNER_TRIMS,
    THE_OWNER_LEAVES,
    ANOTHER_THREAD_RELEASES,
    ANOTHER_THREAD_RELEASES_WHAT_NOBODY_OWNS,
    THE_JANITOR_TAKES_SUBPAGES;

    /** Those whose owner caches nothing. */
    boolean isAtOnce() {
      return this == THE_OWNER_RELEASES || this == ANOTHER_THREAD_RELEASES;
    }

    int sizes() {
      return this == THE_JANITOR_TAKES_SUBPAGES ? SMALL_SIZES : SIZES.length;
    }
  }

  private int failing;
  private int taken;
  private int failures;

  private void next() {
    if (failing != 0 && ++taken == failing) {
      throw new StackOverflowError("run " + taken + " fails for the test");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRunThatCannotBeGivenBackNowIsGivenBackLater(Way way) throws Exception {
    int step = 0;
    for (boolean reached = true; reached; ) {
      reached = scenario(way, ++step);
    }
    assertThat(step).as("runs given back, %s", way).isGreaterThan(3);
  }

  /** Returns whether there is a run of this number. */
  private boolean scenario(Way way, int step) throws Exception {
    HeapMemorySource source = new HeapMemorySource();
    BufferPool pool =
        BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
            .arenas(1)
            .chunkBytes(1 << 20)
            .runCacheBytesPerThread(way.isAtOnce() ? 0 : 1 << 20)
            .idleSubpageBytesPerThread(way.isAtOnce() ? 0 : 1 << 20)
            .decayMillis(3_600_000)
            .janitor(false)
            .build();
    pool.arenas()[0].beforeGiving = this::next;
    Worker owner = new Worker();
    List<Block> blocks = owner.call(() -> allocate(pool, way.sizes()));

    taken = 0;
    failures = 0;
    giveBack(way, pool, owner, blocks, step);
    String name = way + ", run " + step;
    boolean reached = taken >= step;
    assertThat(failures + pool.releaseFailures())
        .as("%s: says so", name)
        .isEqualTo(reached ? 1 : 0);

    blocks.forEach(Block::release);
    pool.tick();
    PoolInvariants.check(pool);
    PoolSnapshot snapshot = pool.snapshot();
    for (SizeGroup group : SizeGroup.values()) {
      assertThat(snapshot.deallocations(group))
          .as("%s: releases, %s", name, group)
          .isEqualTo(snapshot.allocations(group));
    }
    assertThat(snapshot.pinnedBytes()).as(name).isZero();
    owner.end();
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().reservedBytes()).as(name).isZero();
    assertThat(source.usedBytes()).as(name).isZero();
    return reached;
  }

  private static List<Block> allocate(BufferPool pool, int sizes) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < sizes; i++) {
      for (int n = 0; n < COUNTS[i]; n++) {
        blocks.add((Block) pool.allocate(SIZES[i]));
      }
    }
    return blocks;
  }

  private void giveBack(Way way, BufferPool pool, Worker owner, List<Block> blocks, int step)
      throws Exception {
    switch (way) {
      case THE_OWNER_RELEASES -> owner.run(() -> failAt(step, () -> release(blocks)));
      case THE_OWNER_TRIMS -> {
        owner.run(() -> release(blocks));
        owner.run(() -> failAt(step, () -> guard(pool::trimCurrentThreadCache)));
      }
      case THE_OWNER_LEAVES -> {
        List<Block> last = List.copyOf(blocks.subList(blocks.size() - 1, blocks.size()));
        blocks.removeAll(last);
        owner.run(() -> release(blocks));
        owner.run(() -> failAt(step, () -> guard(pool::freeCurrentThreadCache)));
        blocks.addAll(last);
      }
      case ANOTHER_THREAD_RELEASES -> failAt(step, () -> release(blocks));
      case ANOTHER_THREAD_RELEASES_WHAT_NOBODY_OWNS -> {
        owner.run(pool::freeCurrentThreadCache);
        failAt(step, () -> release(blocks));
      }
      case THE_JANITOR_TAKES_SUBPAGES -> {
        release(blocks);
        failAt(step, () -> guard(pool::tick));
      }
    }
  }

  private void failAt(int step, Runnable task) {
    failing = step;
    task.run();
    failing = 0;
  }

  /** None throws, whether or not a run could be given back for it. */
  private static void release(List<Block> blocks) {
    blocks.forEach(Block::release);
    blocks.clear();
  }

  private void guard(Runnable task) {
    try {
      task.run();
    } catch (StackOverflowError failed) {
      if (!String.valueOf(failed.getMessage()).endsWith("fails for the test")) {
        throw failed;
      }
      failures++;
    }
  }
}
