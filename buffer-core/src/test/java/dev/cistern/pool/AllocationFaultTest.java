/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The memory source refuses the first step, then the second, and so on until the scenario passes.
 * Each time the pool throws one error with the cause, stays usable, and has correct counters.
 */
@Tag("A15")
class AllocationFaultTest {
  private static final int PAGE_BYTES = 4 << 10;
  private static final int CHUNK_BYTES = 128 << 10;

  /** Small slots, subpages of many pages, runs, whole chunks, extents; each more than once. */
  private static final int[] SIZES = {
    1, 100, 100_000, 3000, 15_000, 20_000, 128 << 10, 200_000, 64, 500, 70_000, 9000, 300_000, 2000,
    40_000, 128 << 10, 200_000, 16, 5000, 33_000, 500_000, 700, 12_000, 90_000, 250
  };

  private WatchedSource source;
  private BufferPool pool;
  private OwnershipModel model;
  private final List<Block> held = new ArrayList<>();
  private int refusals;

  private void open(MemoryKind kind, boolean threadCaches, MemorySource from) {
    source = new WatchedSource(from);
    pool =
        BufferPool.builder(kind, source, new BlockBinder())
            .arenas(1)
            .pageBytes(PAGE_BYTES)
            .chunkBytes(CHUNK_BYTES)
            .threadCaches(threadCaches)
            .sharedCaches(1)
            .maintenanceThread(false)
            .build();
    model = new OwnershipModel(pool.sizeClasses.count());
    source.watch(model);
    refusals = 0;
  }

  private static MemorySource sourceOf(MemoryKind kind) {
    return kind == MemoryKind.HEAP
        ? new HeapMemorySource()
        : new DirectMemorySource(new DirectMemoryLimit(1L << 30), 0, false);
  }

  @ParameterizedTest
  @CsvSource({"HEAP, true", "HEAP, false", "DIRECT, true", "DIRECT, false"})
  void aRefusalAtAnyCallThrowsOnceAndThePoolStaysUsable(MemoryKind kind, boolean threadCaches) {
    int steps = 0;
    for (boolean refusedOnce = true; refusedOnce; ) {
      int first = ++steps;
      open(kind, threadCaches, sourceOf(kind));
      source.refuse(call -> call >= first);
      scenario();
      refusedOnce = refusals > 0;
      assertThat(refusals).as("errors where call %d is refused", first).isLessThanOrEqualTo(1);
      end();
    }
    assertThat(steps).as("the scenario has steps").isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource({"HEAP, true", "HEAP, false", "DIRECT, true", "DIRECT, false"})
  void aSingleRefusalIsNotSeen(MemoryKind kind, boolean threadCaches) {
    long calls = 0;
    for (int step = 1; step == 1 || step <= calls; step++) {
      int refused = step;
      open(kind, threadCaches, sourceOf(kind));
      source.refuse(call -> call == refused);
      scenario();
      calls = source.calls();
      assertThat(refusals).as("errors where call %d is refused", step).isZero();
      end();
    }
    assertThat(calls).isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void atAnyLimitTheErrorNamesUsedLimitRequestAndSetting(boolean threadCaches, boolean cleaner) {
    int refusedAt = 0;
    boolean passed = false;
    for (int step = 0; !passed; step++) {
      DirectMemoryLimit limit = new DirectMemoryLimit((long) step * CHUNK_BYTES / 2);
      open(MemoryKind.DIRECT, threadCaches, new DirectMemorySource(limit, 0, cleaner));
      passed = true;
      for (int i = 0; i < 2 * SIZES.length; i++) {
        OutOfMemoryError refusal = allocate(SIZES[i % SIZES.length]);
        if (refusal != null) {
          passed = false;
          refusedAt++;
          assertThat(refusal)
              .hasMessageContaining("used: " + limit.usedBytes() + ",")
              .hasMessageContaining("limit: " + limit.limitBytes())
              .hasMessageContaining("-Dcistern.maxDirectMemory")
              .hasMessageContaining(
                  "cannot allocate the " + SIZES[i % SIZES.length] + " byte(s) requested")
              .hasMessageMatching(".*reserve (" + CHUNK_BYTES + "|" + extent(i) + ") byte.*");
          model.check(pool.snapshot());
        }
      }
      end();
      assertThat(limit.usedBytes()).isZero();
    }
    assertThat(refusedAt).isGreaterThan(100);
  }

  private int extent(int i) {
    return pool.usableBytes(SIZES[i % SIZES.length]);
  }

  @Test
  void theJavaHeapsRefusalNamesThemToo() {
    HeapMemorySource heap = new HeapMemorySource();
    open(MemoryKind.HEAP, true, heap);
    OutOfMemoryError refusal = allocate(Integer.MAX_VALUE);
    assertThat(refusal)
        .isNotNull()
        .hasMessageContaining("refused " + Integer.MAX_VALUE + " byte")
        .hasMessageContaining("used: 0 by pools")
        .hasMessageContaining("limit: " + Runtime.getRuntime().maxMemory())
        .hasMessageContaining("-Xmx");
    assertThat(allocate(100)).isNull();
    end();
  }

  /** Allocates every size twice, and repeats a refused request when memory is available. */
  private void scenario() {
    for (int i = 0; i < 2 * SIZES.length; i++) {
      int bytes = SIZES[i % SIZES.length];
      PoolSnapshot before = pool.snapshot();
      OutOfMemoryError refusal = allocate(bytes);
      if (refusal == null) {
        continue;
      }
      refusals++;
      assertThat(WatchedSource.isRefusal(refusal)).as("%s", refusal).isTrue();
      assertThat(refusal.getMessage()).contains("used: ", "limit: ", "request: ");
      PoolSnapshot after = pool.snapshot();
      assertThat(after.failedAllocations()).isEqualTo(before.failedAllocations() + 1);
      assertThat(after.threadCacheMisses()).as("misses").isEqualTo(before.threadCacheMisses());
      assertThat(after.threadCacheRequests()).isEqualTo(before.threadCacheRequests());
      model.check(after);
      PoolInvariants.check(pool);
      source.refuse(call -> false);
      assertThat(allocate(bytes)).as("once there is memory").isNull();
      if (i % 3 == 0) {
        release(held.get(i / 2));
      }
    }
  }

  private OutOfMemoryError allocate(int bytes) {
    Block block;
    try {
      block = (Block) pool.allocate(bytes);
    } catch (OutOfMemoryError refusal) {
      model.refused();
      return refusal;
    }
    int sizeClass = bytes > CHUNK_BYTES ? OwnershipModel.HUGE : pool.sizeClasses.of(bytes);
    model.enter(source.start(block), block.slotBytes(), sizeClass, bytes);
    block.stamp(bytes, model.allocations());
    held.add(block);
    return null;
  }

  private void release(Block block) {
    held.remove(block);
    model.leave(source.start(block));
    block.release();
  }

  private void end() {
    source.refuse(call -> false);
    PoolInvariants.check(pool);
    while (!held.isEmpty()) {
      release(held.get(held.size() - 1));
    }
    model.check(pool.snapshot());
    PoolInvariants.check(pool);
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    assertThat(source.regions()).isZero();
    assertThat(source.usedBytes()).isZero();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(held).isEmpty();
  }
}
