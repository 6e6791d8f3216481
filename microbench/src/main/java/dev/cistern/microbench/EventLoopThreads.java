/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs JMH's workers on {@link ThreadKind#LOOP event-loop threads}, so that Netty's allocators
 * perform at their best. JMH creates this executor by name: {@code -Djmh.executor=CUSTOM
 * -Djmh.executor.class=<this>}.
 *
 * <p>A benchmark that depends on the class of the thread selects another one with {@link
 * #OUR_WORKERS} or {@link #PLAIN_WORKERS} in the annotation of its fork.
 */
public final class EventLoopThreads extends ThreadPoolExecutor {
  static final String EXECUTOR = "-Djmh.executor=CUSTOM";
  static final String EXECUTOR_CLASS =
      "-Djmh.executor.class=dev.cistern.microbench.EventLoopThreads";

  private static final String WORKERS = "cistern.microbench.workers";

  /**
   * The JVM argument for workers of type {@link dev.cistern.util.concurrent.FastThreadLocalThread}.
   */
  public static final String OUR_WORKERS = "-D" + WORKERS + "=ours";

  /** The JVM argument for workers that are plain threads. */
  public static final String PLAIN_WORKERS = "-D" + WORKERS + "=plain";

  /**
   * Creates the executor; JMH calls this constructor with the number of workers and a name prefix.
   */
  public EventLoopThreads(int workers, String prefix) {
    super(
        workers,
        workers,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> worker(task, prefix));
  }

  /** Applies a JVM argument for the workers to this JVM. */
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
