/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.internal.DaemonThreads;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that calls {@link LeakDetector#tick} about once a second, and at once when a
 * watched buffer was garbage collected, for as long as something is watched.
 */
public final class LeakPatrol implements Runnable {
  private static final long ROUND_MILLIS = 1_000;

  /** The thread ends after so many rounds with nothing to watch; the next sample starts another. */
  private static final int IDLE_ROUNDS = 30;

  private final LeakDetector detector;
  private final long roundMillis;
  private final Function<Runnable, Thread> threads;

  /** Written under this object's lock. */
  private volatile @Nullable Thread thread;

  /** Not started before something is watched. */
  public LeakPatrol(LeakDetector detector) {
    this(detector, LeakPatrol::thread);
  }

  /** With threads made otherwise. */
  LeakPatrol(LeakDetector detector, Function<Runnable, Thread> threads) {
    this(detector, ROUND_MILLIS, threads);
  }

  /** With rounds of another length. */
  LeakPatrol(LeakDetector detector, long roundMillis) {
    this(detector, roundMillis, LeakPatrol::thread);
  }

  private LeakPatrol(LeakDetector detector, long roundMillis, Function<Runnable, Thread> threads) {
    this.detector = detector;
    this.roundMillis = roundMillis;
    this.threads = threads;
  }

  static Thread thread(Runnable patrol) {
    return DaemonThreads.create("cistern-leaks", patrol);
  }

  /** Something is watched from now on. */
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
    for (int idleRounds = 0; idleRounds < IDLE_ROUNDS; ) {
      try {
        int leaks = detector.poll(roundMillis);
        if (System.nanoTime() - nextTick >= 0) {
          nextTick = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(roundMillis / 2);
          leaks += detector.tick();
        }
        idleRounds = leaks == 0 && detector.isIdle() ? idleRounds + 1 : 0;
      } catch (InterruptedException meantForOthers) {
        Thread.interrupted(); // whoever interrupts all threads does not mean this one
      } catch (RuntimeException | Error failure) {
        WatchFailures.add(failure); // most likely memory is short: another round comes
      }
    }
    end();
  }

  private synchronized void end() { // not before it is known to have started
    thread = null;
    if (!detector.isIdle()) {
      wake(); // it came while this thread was about to end
    }
  }
}
