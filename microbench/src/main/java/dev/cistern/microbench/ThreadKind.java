/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.List;

/**
 * The kinds of threads that run a benchmark: JMH's workers and the threads that the benchmark
 * starts.
 */
enum ThreadKind {
  /**
   * Threads like an event loop's: a {@link FastThreadLocalThread} with a registered executor.
   * Without the executor, Netty's adaptive allocator has no thread-local magazines at its defaults.
   */
  LOOP("loop"),
  /** A plain {@link Thread}. */
  PLAIN("plain");

  private static final String PROPERTY = "cistern.microbench.threads";

  private final String label;

  ThreadKind(String label) {
    this.label = label;
  }

  /** Returns the name in tables and in names of cases. */
  String label() {
    return label;
  }

  /** Returns the arguments of a JVM that runs benchmarks on such threads. */
  List<String> jvmArguments() {
    return this == PLAIN
        ? List.of("-D" + PROPERTY + "=" + name())
        : List.of(
            "-D" + PROPERTY + "=" + name(),
            EventLoopThreads.EXECUTOR,
            EventLoopThreads.EXECUTOR_CLASS);
  }

  /** Returns the kind that this JVM was started for. */
  static ThreadKind ofProcess() {
    return valueOf(System.getProperty(PROPERTY, LOOP.name()));
  }

  /** Creates a daemon thread of this kind, without starting it. */
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
