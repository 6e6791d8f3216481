/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs JMH's workers on the library's own kind of thread: what {@link EventLoopThreads} is to
 * Netty. JMH makes it by name.
 */
public final class LibraryThreads extends ThreadPoolExecutor {
  static final String EXECUTOR_CLASS = "-Djmh.executor.class=dev.cistern.microbench.LibraryThreads";

  /** JMH's constructor: number of workers and a prefix for their names. */
  public LibraryThreads(int workers, String prefix) {
    super(
        workers,
        workers,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> daemon(task, prefix));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new FastThreadLocalThread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
