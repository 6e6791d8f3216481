/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The tasks that run when direct memory is exhausted, while reports still show its holders. */
public final class OutOfMemoryTasks {
  private static final List<Runnable> TASKS = new CopyOnWriteArrayList<>();

  private OutOfMemoryTasks() {}

  /** Adds a task. */
  public static void add(Runnable task) {
    TASKS.add(task);
  }

  /** Removes a task. */
  public static void remove(Runnable task) {
    TASKS.remove(task);
  }

  /** Runs all tasks, and counts their failures. */
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
