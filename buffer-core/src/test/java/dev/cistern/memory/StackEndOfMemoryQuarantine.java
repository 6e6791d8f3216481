/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.testing.DeepStack;

/**
 * A program for a JVM with {@code -Xint}: the stack ends at each depth of adding memory to a
 * quarantine. If the quarantine has begun to add the memory, it then contains the memory or frees
 * it.
 */
final class StackEndOfMemoryQuarantine {
  private static final int DEPTHS = 60;
  private static final int HOUR_MILLIS = 3_600_000;

  private final MemoryQuarantine quarantine = new MemoryQuarantine(1 << 20, HOUR_MILLIS);
  private int thrown;
  private int freed;
  private int quarantined;

  private StackEndOfMemoryQuarantine() {}

  /** Memory that counts how often it is freed. */
  private static final class Counted extends MappedMemory {
    private int frees;

    Counted() {
      super(0, 100);
    }

    @Override
    protected boolean tryFree() {
      frees++;
      return true;
    }
  }

  public static void main(String[] arguments) throws Exception {
    new StackEndOfMemoryQuarantine().run();
  }

  private void run() throws Exception {
    // Loads every class, and starts the thread of the quarantine.
    once(0);
    once(0);
    DeepStack.forEachDepth(DEPTHS, 1, this::once);
    System.out.println("threw " + thrown + ", freed " + freed + ", quarantined " + quarantined);
    require(thrown > 0, "the stack ends before the quarantine");
    require(freed > 0, "memory that cannot be added is freed");
    require(quarantined > 2, "with enough stack memory stays in quarantine");
  }

  private void once(int depth) {
    Counted memory = new Counted();
    StackOverflowError failed = null;
    try {
      int unused = DeepStack.run(depth, () -> quarantine.add(memory));
    } catch (StackOverflowError ended) {
      thrown++;
      failed = ended;
    }
    boolean isAdded = quarantine.quarantinedBytes() != 0;
    quarantined += isAdded ? 1 : 0;
    freed += memory.frees;
    if (!isAdded && memory.frees == 0 && (failed == null || hasBegun(failed))) {
      throw new AssertionError("lost with " + depth + " frames", failed);
    }
    quarantine.freeAll();
    require(quarantine.quarantinedBytes() == 0, "all of it can be freed");
    require(memory.frees <= 1, "freed " + memory.frees + " times with " + depth + " frames");
  }

  /** Returns whether the error was thrown in the step that adds memory. */
  private static boolean hasBegun(StackOverflowError ended) {
    for (StackTraceElement frame : ended.getStackTrace()) {
      if (frame.getMethodName().equals("addOrReturn")) {
        return true;
      }
    }
    return false;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
