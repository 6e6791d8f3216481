/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is to be done when direct memory has run out: while it can still be seen who holds it. */
public final class OutOfMemoryTasks {
  private static final List<Runnable> TASKS = new CopyOnWriteArrayList<>();

  private OutOfMemoryTasks() {}

  /** One more task. */
  public static void add(Runnable task) {
    TASKS.add(task);
  }

  /** One task less. */
  public static void remove(Runnable task) {
    TASKS.remove(task);
  }

  /** Runs them all. What they throw is counted, and goes no further. */
  public static void run() {
    for (Runnable task : TASKS) {
      try {
        task.run();
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
    }
  }
}
