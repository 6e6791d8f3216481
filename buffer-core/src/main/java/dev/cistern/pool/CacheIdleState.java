/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * Notes of the maintenance thread about a thread cache, which tell whether its thread sleeps.
 * Guarded by {@link BufferPool#upkeep}, except {@link #isSuspended}.
 */
final class CacheIdleState {
  /** A thread with fewer operations than this in the idle time is nearly idle. */
  private static final long FEW_OPERATIONS = 1024;

  /** A nearly idle thread may keep this: the cost of its next cache is higher. */
  private static final long NEARLY_IDLE_BYTES = 64 << 10;

  private static final int MAX_PAUSE_LOG2 = 6;

  private long sinceNanos;
  private long operationsThen = -FEW_OPERATIONS - 1; // the first look starts the idle time
  private long operations;
  private int failures;
  private int pauseRounds;

  /** Bytes of free slots at the last look, in the owner's lists or released by other threads. */
  long freeBytes;

  /**
   * The thread does not find the cache any more, and the cache is not retired yet. Guarded by the
   * lock of {@link ThreadCaches}.
   */
  boolean isSuspended;

  /** Reads the counters; returns whether the thread has done little for {@code idleNanos}. */
  boolean isIdle(ThreadCache cache, long nowNanos, long idleNanos) {
    count(cache);
    if (operations - operationsThen > FEW_OPERATIONS) {
      sinceNanos = nowNanos;
      operationsThen = operations;
      return false;
    }
    return nowNanos - sinceNanos >= idleNanos;
  }

  private void count(ThreadCache cache) {
    operations = cache.counters.readOperations();
    freeBytes = cache.counters.readCachedBytes();
  }

  /** Adds free slots that other threads released. */
  void addRemote(long bytes) {
    freeBytes += bytes;
  }

  /** Returns whether reclaiming the cache frees enough memory. */
  boolean isWorthTaking() {
    return freeBytes > (operations == operationsThen ? 0 : NEARLY_IDLE_BYTES);
  }

  /** Returns whether to wait for another round, after attempts that failed. */
  boolean isPaused() {
    return pauseRounds > 0 && pauseRounds-- > 0;
  }

  /** The thread could not be shown to be outside: after each failure the pause is longer. */
  void failed() {
    failures = Math.min(MAX_PAUSE_LOG2, failures + 1);
    pauseRounds = 1 << (failures - 1);
  }
}
