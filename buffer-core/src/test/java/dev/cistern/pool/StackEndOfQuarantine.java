/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.testing.DeepStack;

/**
 * A program for a JVM with {@code -Xint}: the stack ends at each depth of a release to the pool's
 * quarantine. If too little stack is left for the quarantine, the slot is released without it.
 */
final class StackEndOfQuarantine {
  private static final int DEPTHS = 60;
  private static final int BYTES = 1000;

  private final TestSource source = new TestSource();
  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
          .arenas(1)
          .chunkBytes(1 << 20)
          .quarantineBytes(1 << 20)
          .maintenanceThread(false)
          .build();

  private int thrown;
  private int released;
  private int quarantined;

  private StackEndOfQuarantine() {}

  public static void main(String[] arguments) throws Exception {
    new StackEndOfQuarantine().run();
  }

  private void run() throws Exception {
    once(0); // every needed class is loaded
    once(0);
    DeepStack.forEachDepth(DEPTHS, 1, this::once);
    System.out.println(
        "threw " + thrown + ", released " + released + ", quarantined " + quarantined);
    PoolInvariants.require(released > 0, "the stack ends before the quarantine");
    PoolInvariants.require(quarantined > 2, "with enough stack slots stay in quarantine");
    pool.close();
    pool.tick();
    PoolInvariants.require(source.regions() == 0, source.regions() + " regions are left");
  }

  private void once(int depth) {
    Block block = (Block) pool.allocate(BYTES);
    SlotGroup group = block.group;
    int index = block.index;
    group.unbind(index);
    try {
      int unused = DeepStack.run(depth, () -> group.releaseToQuarantine(index));
    } catch (StackOverflowError ended) {
      thrown++;
      requireNotOfQuarantine(ended);
      group.release(index);
    }
    pool.tick(); // finishes a release that failed
    long bytes = pool.quarantine.bytes();
    require(pool.snapshot().pinnedBytes() == bytes, bytes + " in quarantine, in use", depth);
    quarantined += bytes > 0 ? 1 : 0;
    released += bytes > 0 ? 0 : 1;
    pool.quarantine.release(0);
    PoolInvariants.check(pool);
    require(pool.snapshot().pinnedBytes() == 0, "in use", depth);
  }

  /** Fails if the quarantine threw the error, because a caller does not repeat such a release. */
  private static void requireNotOfQuarantine(StackOverflowError ended) {
    String quarantine = Quarantine.class.getName();
    for (StackTraceElement frame : ended.getStackTrace()) {
      if (frame.getClassName().startsWith(quarantine)) {
        throw new AssertionError("the stack ended in the quarantine", ended);
      }
    }
  }

  private void require(boolean holds, String what, int depth) {
    PoolInvariants.require(
        holds, what + " " + pool.snapshot().pinnedBytes() + ", " + depth + " frames");
  }
}
