/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs JMH's workers on {@link ThreadKind#LOOP threads like an event loop's}, so that Netty's
 * allocators are at their best. JMH makes it by name: {@code -Djmh.executor=CUSTOM
 * -Djmh.executor.class=<this>}.
 *
 * <p>A benchmark of what depends on the class of the thread asks for another with {@link
 * #OUR_WORKERS} or {@link #PLAIN_WORKERS} in the annotation of its fork.
 */
public final class EventLoopThreads extends ThreadPoolExecutor {
  static final String EXECUTOR = "-Djmh.executor=CUSTOM";
  static final String EXECUTOR_CLASS =
      "-Djmh.executor.class=dev.cistern.microbench.EventLoopThreads";

  private static final String WORKERS = "cistern.microbench.workers";

  /** Workers that are {@link dev.cistern.util.concurrent.FastThreadLocalThread}s. */
  public static final String OUR_WORKERS = "-D" + WORKERS + "=ours";

  /** Workers that are plain threads. */
  public static final String PLAIN_WORKERS = "-D" + WORKERS + "=plain";

  /** JMH's constructor: number of workers and a prefix for their names. */
  public EventLoopThreads(int workers, String prefix) {
    super(
        workers,
        workers,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> worker(task, prefix));
  }

  /** Says in this JVM what an argument of a JVM would. */
  static void choose(String workers) {
    System.setProperty(WORKERS, workers.substring(workers.indexOf('=') + 1));
  }

  private static Thread worker(Runnable task, String name) {
    switch (System.getProperty(WORKERS, "")) {
      case "ours" -> {
        Thread ours = new dev.cistern.util.concurrent.FastThreadLocalThread(task, name);
        ours.setDaemon(true);
        return ours;
      }
      case "plain" -> {
        return ThreadKind.PLAIN.thread(task, name);
      }
      default -> {
        return ThreadKind.LOOP.thread(task, name);
      }
    }
  }
}
