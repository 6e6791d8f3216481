/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import dev.cistern.buffer.BufferDiagnostics;
import dev.cistern.leak.CallStack;
import dev.cistern.leak.LeakEntry;
import dev.cistern.leak.LeakRecord;
import dev.cistern.leak.StackDetail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What of the library's buffers was found to be leaked since the last look. */
public final class LeaksSince {
  /**
   * Leaks with one stack.
   *
   * @param found how many
   * @param latest the last of them
   */
  public record Leaks(long found, LeakRecord latest) {}

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** So often it must be seen waiting: it may have been woken just now. */
  private static final int IDLE_LOOKS = 3;

  private record Key(String memory, CallStack stack) {}

  private final Map<Key, Long> known = new HashMap<>();
  private long knownDropped;

  /** From now on. */
  public LeaksSince() {
    List<Leaks> unused = take();
    knownDropped = BufferDiagnostics.leaks(StackDetail.FRAMES).dropped();
  }

  /** Collects garbage, and says what of it are leaks that were not said before. */
  public List<Leaks> collect() throws InterruptedException {
    Garbage.collect();
    awaitPatrol();
    long dropped = BufferDiagnostics.leaks(StackDetail.FRAMES).dropped();
    long newlyDropped = dropped - knownDropped;
    knownDropped = dropped;
    if (newlyDropped > 0) {
      throw new AssertionError(newlyDropped + " leaks found no place");
    }
    return take();
  }

  private List<Leaks> take() {
    List<Leaks> leaks = new ArrayList<>();
    for (LeakEntry entry : BufferDiagnostics.leaks(StackDetail.FRAMES).entries()) {
      Long before = known.put(new Key(entry.memory(), entry.stack()), entry.found());
      long found = entry.found() - (before == null ? 0 : before);
      if (found > 0) {
        leaks.add(new Leaks(found, entry.latest()));
      }
    }
    return leaks;
  }

  /** Until the thread that looks for leaks waits for more, and so has stored what there was. */
  private static void awaitPatrol() {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    int idle = 0;
    while (idle < IDLE_LOOKS) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("the thread that looks for leaks is busy for " + LIMIT);
      }
      idle =
          Thread.getAllStackTraces().keySet().stream().allMatch(LeaksSince::isIdle) ? idle + 1 : 0;
    }
  }

  private static boolean isIdle(Thread thread) {
    return !thread.getName().equals("cistern-leaks")
        || thread.getState() == Thread.State.TIMED_WAITING;
  }
}
