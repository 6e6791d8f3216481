/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.testing.DeepStack;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program for a JVM in which few methods are compiled: the stack ends at each depth of a change
 * of a bin's groups. Each group is then in one set, and its bytes are counted if it is idle. No
 * check of {@link StackRoom} precedes these changes.
 */
final class StackEndOfChange {
  private static final int DEPTHS = 24;

  private enum Act {
    /** The first slot of a full group moves the group to the available ones. */
    RELEASE,

    /** An idle group becomes the current one; the one before stays marked as full. */
    ALLOCATE
  }

  private final Act act;
  private final int size;
  private final TestSource source = new TestSource();
  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
          .arenas(1)
          .chunkBytes(1 << 20)
          .maintenanceThread(false)
          .build();

  private final List<Block> held = new ArrayList<>();

  /**
   * The block that the operation allocated. A field, because an assignment calls no method, which
   * could fail.
   */
  private @Nullable Block allocated;

  private boolean isDone;
  private int ended;

  private StackEndOfChange(Act act, int size) {
    this.act = act;
    this.size = size;
  }

  public static void main(String[] arguments) throws Exception {
    for (Act act : Act.values()) {
      new StackEndOfChange(act, 5000).run(); // with subpages
      new StackEndOfChange(act, 300_000).run(); // with whole runs
    }
  }

  private void run() throws Exception {
    once(-1);
    once(-1); // every needed class is loaded
    DeepStack.forEachDepth(DEPTHS, 1, this::once);
    require(ended > 0, "the stack ends in the pool");
    System.out.println(act + " of " + size + ": the stack ended " + ended + " times");
    pool.close();
    pool.tick();
    require(source.regions() == 0, source.regions() + " regions are left");
  }

  private void once(int depth) {
    try {
      List<Block> first = fillGroup();
      List<Block> second = fillGroup();
      List<Block> third = fillGroup();
      held.addAll(third);
      if (act == Act.RELEASE) {
        release(depth, first.remove(0));
        held.addAll(second);
      } else {
        first.remove(0).release();
        first.add((Block) pool.allocate(size)); // the first group is current and full again
        second.forEach(Block::release);
        allocate(depth);
      }
      held.addAll(first);
      check();
      held.forEach(Block::release);
      held.clear();
      check();
      require(pool.snapshot().pinnedBytes() == 0, "nothing is in use");
      pool.freeCurrentThreadCache();
      PoolInvariants.check(pool);
    } catch (Throwable failed) {
      throw new AssertionError(act + " of " + size + ", " + depth + " frames", failed);
    }
  }

  /** Allocates all slots of a group, which is then the current one. */
  private List<Block> fillGroup() {
    List<Block> blocks = new ArrayList<>();
    SlotGroup group;
    do {
      Block block = (Block) pool.allocate(size);
      blocks.add(block);
      group = block.group;
    } while (group.hasFree());
    return blocks;
  }

  /** Repeats a release that fails before the pool has begun it. */
  private void release(int depth, Block block) {
    isDone = false;
    long failuresBefore = pool.releaseFailures();
    atDepth(
        depth,
        () -> {
          block.group.release(block.index);
          isDone = true;
        });
    if (!isDone) {
      block.release();
    }
    pool.tick(); // finishes it
    ended += pool.releaseFailures() > failuresBefore ? 1 : 0;
  }

  private void allocate(int depth) {
    allocated = null;
    atDepth(depth, () -> allocated = (Block) pool.allocate(size));
    Block made = allocated;
    if (made == null) {
      ended++;
    } else {
      held.add(made);
    }
  }

  private static void atDepth(int depth, Runnable task) {
    if (depth < 0) {
      task.run();
      return;
    }
    try {
      int unused = DeepStack.run(depth, task);
    } catch (StackOverflowError atTheEnd) {
      // the caller checks how far the task got
    }
  }

  private void check() {
    PoolInvariants.check(pool);
    held.forEach(Block::verify);
  }

  private static void require(boolean holds, String what) {
    PoolInvariants.require(holds, what);
  }
}
