/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.util.concurrent.TimeUnit;

/** The pauses of a copy's pool after faults. The agent's thread only. */
final class BackOff {
  private static final long FIRST_SECONDS = 10;

  /** Each pause is twice as long as the one before, up to 640 s. */
  private static final int MAX_DOUBLINGS = 6;

  private static final long RETRY_SECONDS = 1;

  /** Number of failed self-tests in a row after which the mode is lowered. */
  private static final int MAX_FAILED_TESTS = 3;

  /** Number of self-tests without memory in a row after which one counts as failed. */
  private static final int MAX_MEMORY_WAITS = 100;

  private int pauses;
  private int failedTests;
  private int memoryWaits;
  private long endNanos = System.nanoTime();

  /** Starts again from the shortest pause. Called when an operator requests a mode. */
  void reset() {
    pauses = 0;
    passed();
    endNanos = System.nanoTime();
  }

  /** Records that the self-test has passed. */
  void passed() {
    failedTests = 0;
    memoryWaits = 0;
  }

  /** Starts a pause after faults. Returns its length in seconds. */
  long pause() {
    long seconds = FIRST_SECONDS << Math.min(pauses, MAX_DOUBLINGS);
    pauses++;
    endAfter(seconds);
    return seconds;
  }

  /**
   * Records a failed self-test.
   *
   * @return whether the test may be repeated
   */
  boolean mayTestAgain(boolean isShortOfMemory) {
    endAfter(RETRY_SECONDS);
    return (isShortOfMemory && ++memoryWaits <= MAX_MEMORY_WAITS)
        || ++failedTests < MAX_FAILED_TESTS;
  }

  private void endAfter(long seconds) {
    endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Ends the pause now, for tests. */
  void endNow() {
    endNanos = System.nanoTime();
  }

  boolean isOver() {
    return System.nanoTime() - endNanos >= 0;
  }
}
