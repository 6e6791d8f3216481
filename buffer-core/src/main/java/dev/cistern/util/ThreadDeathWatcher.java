/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks when threads have ended (seed row G3).
 *
 * <p>One daemon thread looks after all of them. It begins with the first watched thread, ends when
 * there is none left, and looks again after 10 ms at first, and after up to 1 s if nothing happens.
 */
public final class ThreadDeathWatcher {
  private static final long SHORTEST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private static final Object LOCK = new Object();

  /** Guarded by {@link #LOCK}. */
  private static final List<Watch> WATCHES = new ArrayList<>();

  /** The thread that looks after {@link #WATCHES}; null if there are none. Guarded as they are. */
  private static @Nullable Thread watcher;

  /** Set by whoever changes {@link #WATCHES}. Guarded as they are. */
  private static boolean hasChanged;

  /** Taken from {@link #WATCHES}, to be run; only {@link #watcher} uses it. */
  private static final ArrayList<Watch> ENDED = new ArrayList<>();

  private ThreadDeathWatcher() {}

  /** A task that waits for a thread to end; equal to none but itself. */
  private static final class Watch {
    final Thread thread;
    final Runnable task;

    Watch(Thread thread, Runnable task) {
      this.thread = thread;
      this.task = task;
    }

    boolean isOf(Thread otherThread, Runnable otherTask) {
      return thread == otherThread && task.equals(otherTask);
    }
  }

  /**
   * Runs a task once a thread has ended. If it throws, that is logged as a warning.
   *
   * @throws IllegalArgumentException if the thread is not alive
   */
  public static void watch(Thread thread, Runnable task) {
    Objects.requireNonNull(thread, "thread");
    Objects.requireNonNull(task, "task");
    if (!thread.isAlive()) {
      throw new IllegalArgumentException("thread: " + thread + " (expected: alive)");
    }
    synchronized (LOCK) {
      if (watcher == null || !watcher.isAlive()) {
        Thread started =
            DaemonThreads.create("cistern-thread-death-watcher", ThreadDeathWatcher::run);
        started.start(); // it waits for the lock
        watcher = started;
      }
      WATCHES.add(new Watch(thread, task));
      hasChanged = true;
      LOCK.notifyAll();
    }
  }

  /** Takes a {@link #watch} back, if its task was not begun yet; one of several that are equal. */
  public static void unwatch(Thread thread, Runnable task) {
    Objects.requireNonNull(thread, "thread");
    Objects.requireNonNull(task, "task");
    synchronized (LOCK) {
      for (int i = 0; i < WATCHES.size(); i++) {
        if (WATCHES.get(i).isOf(thread, task)) {
          WATCHES.remove(i);
          hasChanged = true;
          LOCK.notifyAll();
          return;
        }
      }
    }
  }

  /**
   * Waits until there is no thread left to watch, and the thread that watches has ended.
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
    while (awaitEndedInShortage()) {
      for (int i = 0; i < ENDED.size(); i++) {
        runTask(ENDED.get(i));
      }
      ENDED.clear();
    }
  }

  /** Goes on where memory is short: whoever waits for this thread would wait for ever. */
  private static boolean awaitEndedInShortage() {
    for (; ; ) {
      try {
        return awaitEnded();
      } catch (RuntimeException | Error failed) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SHORTEST_PAUSE_MILLIS));
      }
    }
  }

  /**
   * Moves the watches whose threads have ended to {@link #ENDED}; false if there are none to wait
   * for.
   */
  private static boolean awaitEnded() {
    long pauseMillis = SHORTEST_PAUSE_MILLIS;
    synchronized (LOCK) {
      for (; ; ) {
        takeEnded();
        if (!ENDED.isEmpty()) {
          return true;
        }
        if (WATCHES.isEmpty()) {
          watcher = null;
          return false;
        }
        hasChanged = false;
        try {
          LOCK.wait(pauseMillis);
        } catch (InterruptedException byOneOfTheTasks) {
          // Nobody else knows this thread; it goes on watching.
        }
        pauseMillis =
            hasChanged ? SHORTEST_PAUSE_MILLIS : Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  /** Takes no memory once it has begun: what fails halfway would run a task twice. */
  private static void takeEnded() {
    int all = WATCHES.size();
    ENDED.ensureCapacity(all);
    int kept = 0;
    for (int i = 0; i < all; i++) {
      Watch watch = WATCHES.get(i);
      if (watch.thread.isAlive()) {
        WATCHES.set(kept++, watch);
      } else {
        ENDED.add(watch);
      }
    }
    for (int i = all - 1; i >= kept; i--) {
      WATCHES.remove(i);
    }
  }

  private static void runTask(Watch watch) {
    try {
      watch.task.run();
    } catch (Throwable failure) {
      report(watch, failure);
    }
  }

  private static void report(Watch watch, Throwable failure) {
    try {
      System.getLogger(ThreadDeathWatcher.class.getName())
          .log(
              System.Logger.Level.WARNING,
              () -> "a task failed that waited for the end of " + watch.thread,
              failure);
    } catch (RuntimeException | Error logFailed) {
      // There is nobody left to tell; the other tasks must run all the same.
    }
  }
}
