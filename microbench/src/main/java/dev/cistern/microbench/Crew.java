/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Threads that a benchmark starts, and waits for. */
final class Crew {
  private Crew() {}

  /**
   * Runs the task on so many new threads at once, of the kind that this JVM was started for, until
   * all have ended.
   *
   * @param task gets the thread's number, from 0
   * @throws IllegalStateException if one of them failed
   */
  static void run(int threads, IntConsumer task) throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    ThreadKind kind = ThreadKind.ofProcess();
    Thread[] started = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int number = i;
      started[i] = kind.thread(() -> task.accept(number), "crew-" + i);
      started[i].setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
      started[i].start();
    }
    for (Thread thread : started) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("a thread of the benchmark failed", thrown);
    }
  }
}
