/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/** Ten thousand threads, some at a time. Each allocates, releases all buffers, and ends. */
final class ShortThreads implements Load {
  private static final int THREADS = 10_000;
  private static final int REPORT_EACH = 1_000;
  private static final int AT_A_TIME = 8;
  private static final int BUFFERS = 64;

  private final Bed bed;
  private final boolean eventLoopThreads;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  ShortThreads(Bed bed, boolean eventLoopThreads) {
    this.bed = bed;
    this.eventLoopThreads = eventLoopThreads;
  }

  @Override
  public void run() throws Exception {
    Sampler sampler = new Sampler(bed.meter());
    for (int done = 0; done < THREADS; done += AT_A_TIME) {
      runSome(done);
      if ((done + AT_A_TIME) % REPORT_EACH == 0) {
        bed.point(label(done + AT_A_TIME), bed.meter().collected());
      }
    }
    sampler.end(bed);
  }

  /** Returns the label of the point after so many threads. */
  static String label(int threads) {
    return "threads-" + threads;
  }

  private void runSome(int first) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < AT_A_TIME; i++) {
      long seed = bed.seed(first + i);
      Runnable body = () -> use(seed);
      Thread thread = eventLoopThreads ? new FastThreadLocalThread(body) : new Thread(body);
      thread.setUncaughtExceptionHandler((t, thrown) -> failure.compareAndSet(null, thrown));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("a short thread failed", thrown);
    }
  }

  private void use(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Object[] buffers = new Object[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
      buffers[i] = bed.subject().allocate(SizeMix.UPLOADS.next(random));
    }
    for (Object buffer : buffers) {
      bed.subject().release(buffer);
    }
  }
}
