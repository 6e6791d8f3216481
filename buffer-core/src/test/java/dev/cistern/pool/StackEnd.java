/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.testing.DeepStack;
import java.util.ArrayList;
import java.util.List;

/**
 * A separate program: the stack ends at each depth of a release or an allocation, and nothing is
 * lost. Arguments: number of checks of {@link StackRoom} before, number of depths, one in how many
 * depths, and one in how many cases.
 */
final class StackEnd {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int[] SIZES = {100, 5000, 40_000, 300_000, 2_000_000};
  private static final int[] COUNTS = {150, 30, 20, 5, 3};

  /** The operation at the end of the stack. */
  private enum Act {
    THE_OWNER_RELEASES,
    THE_OWNER_RELEASES_THE_LAST,
    ANOTHER_THREAD_RELEASES,
    ANOTHER_THREAD_RELEASES_THE_LAST,
    THE_OWNER_HAS_GONE,
    THE_OWNER_HAS_GONE_FROM_THE_LAST,
    ALLOCATE;

    boolean isOfOwner() {
      return this == THE_OWNER_RELEASES || this == THE_OWNER_RELEASES_THE_LAST || this == ALLOCATE;
    }

    boolean isOfLast() {
      return name().endsWith("THE_LAST");
    }
  }

  /** The memory that a pool keeps. */
  private enum Keeping {
    MUCH,
    NOTHING,
    MUCH_IN_SHARED_CACHES;

    BufferPool open(TestSource source) {
      return BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
          .arenas(1)
          .chunkBytes(CHUNK_BYTES)
          .idleBytesPerThread(this == NOTHING ? 0 : 2 << 20)
          .extentCacheBytes(this == NOTHING ? 0 : 8 << 20)
          .threadCaches(this != MUCH_IN_SHARED_CACHES)
          .sharedCaches(2)
          .idleCacheMillis(0)
          .decayMillis(3_600_000)
          .maintenanceThread(false)
          .build();
    }
  }

  private final Act act;
  private final Keeping keeping;
  private final int size;
  private final int count;
  private final TestSource source = new TestSource();
  private final BufferPool pool;
  private final Worker owner = new Worker();

  /** Operations whose caller got a StackOverflowError. */
  private int thrown;

  private StackEnd(Act act, Keeping keeping, int size, int count) {
    this.act = act;
    this.keeping = keeping;
    this.size = size;
    this.count = count;
    this.pool = keeping.open(source);
  }

  public static void main(String[] arguments) throws Exception {
    for (int checks = Integer.parseInt(arguments[0]); checks > 0; checks--) {
      StackRoom.require();
    }
    int depths = Integer.parseInt(arguments[1]);
    int every = Integer.parseInt(arguments[2]);
    int oneIn = Integer.parseInt(arguments[3]);
    int cases = 0;
    for (Keeping keeping : Keeping.values()) {
      for (Act act : Act.values()) {
        for (int i = 0; i < SIZES.length; i++) {
          if (cases++ % oneIn == 0) {
            new StackEnd(act, keeping, SIZES[i], COUNTS[i]).run(depths, every);
          }
        }
      }
    }
  }

  @Override
  public String toString() {
    return act + " of " + size + ", " + keeping;
  }

  private void run(int depths, int every) throws Exception {
    once(-1);
    once(-1); // loads every class
    DeepStack.forEachDepth(depths, every, this::once);
    pool.tick();
    long failures = pool.releaseFailures();
    long finished = pool.pendingReleases.finished();
    owner.run(pool::freeCurrentThreadCache);
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    require(source.regions() == 0, source.regions() + " regions left");
    require(source.doubleFrees() == 0, "a region was freed twice");
    owner.end();
    require(
        thrown + failures > (act == Act.ALLOCATE ? 10 : 0), "the stack did not end in the pool");
    System.out.println(
        this + ": threw " + thrown + ", failed " + failures + ", of these finished " + finished);
  }

  private static void require(boolean holds, String what) {
    PoolInvariants.require(holds, what);
  }

  /**
   * Runs one case.
   *
   * @param depth frames below which to act; negative: at once
   */
  private void once(int depth) throws Exception {
    try {
      List<Block> blocks = act.isOfOwner() ? allocate() : owner.call(this::allocate);
      if (act.name().startsWith("THE_OWNER_HAS_GONE")) {
        owner.run(pool::freeCurrentThreadCache);
      }
      if (act.isOfLast()) {
        while (blocks.size() > 1) {
          blocks.remove(blocks.size() - 1).release();
        }
      }
      if (act == Act.ALLOCATE) {
        atDepth(depth, () -> blocks.add((Block) pool.allocate(size)));
      } else {
        release(depth, blocks.remove(blocks.size() / 2));
      }
      check(blocks);
      blocks.forEach(Block::release);
      check(List.of());
    } catch (Throwable failed) {
      Throwable kept = pool.takeReleaseFailure();
      if (kept != null) {
        failed.addSuppressed(kept);
      }
      throw new AssertionError(this + ", " + depth + " frames", failed);
    }
  }

  private List<Block> allocate() {
    List<Block> blocks = new ArrayList<>(count + 1);
    for (int i = 0; i < count; i++) {
      Block block = (Block) pool.allocate(size);
      block.stamp(size, i);
      blocks.add(block);
    }
    return blocks;
  }

  /** The caller repeats a release that fails before the pool has begun it. */
  private void release(int depth, Block block) {
    boolean[] isDone = new boolean[1]; // setting it is no call, which could fail
    SlotGroup group = block.group;
    int index = block.index;
    if (!atDepth(depth, () -> release(isDone, group, index)) && !isDone[0]) {
      group.release(index);
    }
  }

  private static void release(boolean[] isDone, SlotGroup group, int index) {
    group.release(index);
    isDone[0] = true;
  }

  private boolean atDepth(int depth, Runnable task) {
    if (depth < 0) {
      task.run();
      return true;
    }
    try {
      int unused = DeepStack.run(depth, task);
      return true;
    } catch (StackOverflowError ended) {
      thrown++;
      return false;
    }
  }

  private void check(List<Block> out) {
    pool.tick();
    PoolInvariants.check(pool);
    long bytes = (long) out.size() * (out.isEmpty() ? 0 : out.get(0).slotBytes());
    long pinned = pool.snapshot().pinnedBytes();
    require(pinned == bytes, "pinned " + pinned + ", out " + bytes);
    out.forEach(Block::verify);
  }
}
