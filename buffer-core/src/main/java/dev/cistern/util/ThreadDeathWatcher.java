/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.internal.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A service that runs tasks after threads have ended.
 *
 * <p>One daemon thread serves all tasks. It starts with the first watched thread and ends after the
 * last one. It checks the threads every 50 ms.
 */
public final class ThreadDeathWatcher {
  private static final long PAUSE_MILLIS = 50;

  private static final Object LOCK = new Object();

  /** Guarded by {@link #LOCK}. */
  private static final List<Watch> WATCHES = new ArrayList<>();

  /** The thread that serves {@link #WATCHES}; null if there are none. Guarded by {@link #LOCK}. */
  private static @Nullable Thread watcher;

  private ThreadDeathWatcher() {}

  private record Watch(Thread thread, Runnable task) {
    Watch {
      Objects.requireNonNull(thread, "thread");
      Objects.requireNonNull(task, "task");
    }
  }

  /**
   * Runs a task once a thread has ended. An exception of the task is logged as a warning.
   *
   * @throws IllegalArgumentException if the thread is not alive
   */
  public static void watch(Thread thread, Runnable task) {
    Watch watch = new Watch(thread, task);
    if (!thread.isAlive()) {
      throw new IllegalArgumentException("thread: " + thread + " (expected: alive)");
    }
    synchronized (LOCK) {
      if (watcher == null || !watcher.isAlive()) {
        Thread started =
            DaemonThreads.create("cistern-thread-death-watcher", ThreadDeathWatcher::run);
        started.start(); // the new thread waits for the lock
        watcher = started;
      }
      WATCHES.add(watch);
    }
  }

  /**
   * Cancels a {@link #watch} whose task has not started. If several are equal, cancels one of them.
   */
  public static void unwatch(Thread thread, Runnable task) {
    synchronized (LOCK) {
      WATCHES.remove(new Watch(thread, task));
    }
  }

  /**
   * Waits until no thread is watched and the daemon thread has ended.
   *
   * @return false if that took longer than {@code timeout}
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public static boolean awaitInactivity(long timeout, TimeUnit unit) throws InterruptedException {
    Objects.requireNonNull(unit, "unit");
    Thread active;
    synchronized (LOCK) {
      active = watcher;
    }
    if (active == null) {
      return true;
    }
    active.join(Math.max(1, unit.toMillis(timeout)));
    return !active.isAlive();
  }

  private static void run() {
    for (Watch ended; (ended = awaitEnded()) != null; ) {
      try {
        ended.task.run();
      } catch (Throwable failure) {
        report(ended, failure);
      }
    }
  }

  /**
   * Waits for the end of a watched thread, then removes and returns its watch; returns null if
   * there are no watches. This method allocates nothing, so that the other tasks run even after one
   * that filled the heap.
   */
  private static @Nullable Watch awaitEnded() {
    synchronized (LOCK) {
      while (!WATCHES.isEmpty()) {
        for (int i = 0; i < WATCHES.size(); i++) {
          if (!WATCHES.get(i).thread.isAlive()) {
            return WATCHES.remove(i);
          }
        }
        try {
          LOCK.wait(PAUSE_MILLIS);
        } catch (InterruptedException byOneOfTheTasks) {
          // The other tasks still need this thread.
        }
      }
      watcher = null;
      return null;
    }
  }

  private static void report(Watch watch, Throwable failure) {
    try {
      System.getLogger(ThreadDeathWatcher.class.getName())
          .log(
              System.Logger.Level.WARNING,
              () -> "task failed after the end of " + watch.thread,
              failure);
    } catch (RuntimeException | Error logFailed) {
      // The other tasks must still run.
    }
  }
}
