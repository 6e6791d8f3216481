/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * The state of the maintenance thread for one thread cache, which determines whether its thread is
 * idle. Guarded by {@link Maintenance#lock}, except {@link #isSuspended}.
 */
final class CacheIdleState {
  /** The maximum number of operations in the idle time of a thread that is nearly idle. */
  private static final long FEW_OPERATIONS = 1024;

  /**
   * The maximum free bytes that a nearly idle thread keeps, because a new cache would cost more.
   */
  private static final long NEARLY_IDLE_BYTES = 64 << 10;

  private static final int MAX_PAUSE_LOG2 = 6;

  private long sinceNanos;
  private long operationsThen = -FEW_OPERATIONS - 1; // the first check starts the idle time
  private long operations;
  private long unusedSinceNanos;

  /** Whether the thread had no operation in the idle time before the last check. */
  private boolean isUnused;

  /** Whether the thread had many operations between the last two checks of the cache. */
  boolean isBusy;

  private int failures;
  private int pauseRounds;

  /** Bytes of free slots at the last check, in the owner's lists or released by other threads. */
  long freeBytes;

  /**
   * Whether the thread no longer finds the cache, and the cache is not yet retired. Guarded by the
   * lock of {@link ThreadCaches}.
   */
  boolean isSuspended;

  /** Returns whether the thread was nearly idle for {@code idleNanos}, by its counters. */
  boolean isIdle(ThreadCache cache, long nowNanos, long idleNanos) {
    long operationsBefore = operations;
    operations = cache.counters.readOperations();
    freeBytes = cache.counters.readCachedBytes();
    if (operations != operationsBefore) {
      unusedSinceNanos = nowNanos;
    }
    isUnused = nowNanos - unusedSinceNanos >= idleNanos;
    isBusy = operations - operationsThen > FEW_OPERATIONS;
    if (isBusy) {
      sinceNanos = nowNanos;
      operationsThen = operations;
      failures = 0;
      pauseRounds = 0;
    }
    return nowNanos - sinceNanos >= idleNanos;
  }

  /** Returns whether reclaiming the cache frees enough memory. */
  boolean isWorthTaking() {
    return freeBytes > (isUnused ? 0 : NEARLY_IDLE_BYTES);
  }

  /** Returns whether to skip this round, after attempts that failed. */
  boolean isPaused() {
    return pauseRounds > 0 && pauseRounds-- > 0;
  }

  /**
   * Records that the thread was not proved to be outside the engine. Each failure doubles the
   * pause.
   */
  void failed() {
    failures = Math.min(MAX_PAUSE_LOG2, failures + 1);
    pauseRounds = 1 << (failures - 1);
  }
}
