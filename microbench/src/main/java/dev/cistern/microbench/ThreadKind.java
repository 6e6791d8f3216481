/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.List;

/** The threads that a benchmark runs on, JMH's and those that it starts itself. */
enum ThreadKind {
  /**
   * As an event loop's: a {@link FastThreadLocalThread} on which an executor is registered. Without
   * the second, Netty's adaptive allocator has no thread-local magazines at its defaults.
   */
  LOOP("loop"),
  /** A plain {@link Thread}. */
  PLAIN("plain");

  private static final String PROPERTY = "cistern.microbench.threads";

  private final String label;

  ThreadKind(String label) {
    this.label = label;
  }

  /** Its name in tables and names of cases. */
  String label() {
    return label;
  }

  /** What a JVM is started with that is to run benchmarks on such threads. */
  List<String> jvmArguments() {
    return this == PLAIN
        ? List.of("-D" + PROPERTY + "=" + name())
        : List.of(
            "-D" + PROPERTY + "=" + name(),
            EventLoopThreads.EXECUTOR,
            EventLoopThreads.EXECUTOR_CLASS);
  }

  /** The kind that this JVM was started for. */
  static ThreadKind ofProcess() {
    return valueOf(System.getProperty(PROPERTY, LOOP.name()));
  }

  /** A daemon thread of this kind, not started. */
  Thread thread(Runnable task, String name) {
    Thread thread =
        this == PLAIN
            ? new Thread(task, name)
            : new FastThreadLocalThread(
                ThreadExecutorMap.apply(task, ImmediateEventExecutor.INSTANCE), name);
    thread.setDaemon(true);
    return thread;
  }
}
