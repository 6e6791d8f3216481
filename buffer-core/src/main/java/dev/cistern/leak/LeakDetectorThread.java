/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.internal.DaemonThreads;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that calls {@link LeakDetector#tick} about once a second, and when a watched
 * buffer was garbage collected, for as long as the detector watches a buffer.
 */
public final class LeakDetectorThread implements Runnable {
  private static final long ROUND_MILLIS = 1_000;

  /** Number of rounds without a watched buffer after which the thread ends. */
  private static final int MAX_IDLE_ROUNDS = 30;

  private final LeakDetector detector;
  private final long roundMillis;
  private final Function<Runnable, Thread> threads;

  /** The thread, or null if it does not run. Written under this object's lock. */
  private volatile @Nullable Thread thread;

  /** Creates the thread, which starts with the first call of {@link #wake}. */
  public LeakDetectorThread(LeakDetector detector) {
    this(detector, LeakDetectorThread::create);
  }

  /**
   * @param threads creates the thread, which is not started
   */
  LeakDetectorThread(LeakDetector detector, Function<Runnable, Thread> threads) {
    this(detector, ROUND_MILLIS, threads);
  }

  /** Creates a thread with rounds of another length, for tests. */
  LeakDetectorThread(LeakDetector detector, long roundMillis) {
    this(detector, roundMillis, LeakDetectorThread::create);
  }

  private LeakDetectorThread(
      LeakDetector detector, long roundMillis, Function<Runnable, Thread> threads) {
    this.detector = detector;
    this.roundMillis = roundMillis;
    this.threads = threads;
  }

  static Thread create(Runnable task) {
    return DaemonThreads.create("cistern-leaks", task);
  }

  /** Starts the thread if it does not run. The caller has begun to watch a buffer. */
  public void wake() {
    if (thread == null) {
      start();
    }
  }

  private synchronized void start() {
    if (thread == null) {
      Thread started = threads.apply(this);
      started.start();
      thread = started;
    }
  }

  @Override
  public void run() {
    long nextTick = System.nanoTime();
    for (int idleRounds = 0; idleRounds < MAX_IDLE_ROUNDS; ) {
      try {
        int leaks = detector.poll(roundMillis);
        if (System.nanoTime() - nextTick >= 0) {
          nextTick = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(roundMillis / 2);
          leaks += detector.tick();
        }
        idleRounds = leaks == 0 && detector.isIdle() ? idleRounds + 1 : 0;
      } catch (InterruptedException ignored) {
        Thread.interrupted(); // ignore interrupts: some hosts interrupt every thread
      } catch (RuntimeException | Error failure) {
        WatchFailures.add(failure); // probably out of memory: the next round retries
      }
    }
    end();
  }

  private synchronized void end() { // the lock orders this after the assignment in start()
    thread = null;
    if (!detector.isIdle()) {
      wake(); // a sample arrived while this thread was about to end
    }
  }
}
