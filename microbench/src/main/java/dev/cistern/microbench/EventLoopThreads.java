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
 */
public final class EventLoopThreads extends ThreadPoolExecutor {
  static final String EXECUTOR = "-Djmh.executor=CUSTOM";
  static final String EXECUTOR_CLASS =
      "-Djmh.executor.class=dev.cistern.microbench.EventLoopThreads";

  /** JMH's constructor: number of workers and a prefix for their names. */
  public EventLoopThreads(int workers, String prefix) {
    super(
        workers,
        workers,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> ThreadKind.LOOP.thread(task, prefix));
  }
}
