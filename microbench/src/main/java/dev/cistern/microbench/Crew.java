/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Starts the threads of a benchmark and waits for them. */
final class Crew {
  private Crew() {}

  /**
   * Runs the task in several new threads at once, until all have ended. The threads are of the kind
   * that this JVM was started for.
   *
   * @param task receives the thread's number, from 0
   * @throws IllegalStateException if a thread fails
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
