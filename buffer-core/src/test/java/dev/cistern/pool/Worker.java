/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.internal.DaemonThreads;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread that runs a test's tasks; the test can wait for its end. */
final class Worker {
  private static final long TIMEOUT_SECONDS = 20;

  private final Thread[] thread = new Thread[1];
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> thread[0] = DaemonThreads.create("worker", task));

  Future<?> submit(Runnable task) {
    return executor.submit(task);
  }

  <T> Future<T> start(Callable<T> task) {
    return executor.submit(task);
  }

  <T> T call(Callable<T> task) throws ExecutionException, InterruptedException, TimeoutException {
    return executor.submit(task).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  void run(Runnable task) throws ExecutionException, InterruptedException, TimeoutException {
    executor.submit(task).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns whether the thread waits for a task. It does so a moment after the end of a task. */
  boolean isWaiting() {
    return thread[0] != null && thread[0].getState() == Thread.State.WAITING;
  }

  /** Returns when the thread has ended: its executor terminates a moment earlier. */
  void end() throws InterruptedException {
    executor.shutdown();
    if (thread[0] != null) {
      thread[0].join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
      if (thread[0].isAlive()) {
        throw new AssertionError("the thread does not end");
      }
    }
  }
}
