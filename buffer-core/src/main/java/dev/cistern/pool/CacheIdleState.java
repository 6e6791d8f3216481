/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * The maintenance thread's notes about a thread cache, to decide whether its thread sleeps. Guarded
 * by {@link Upkeep#lock}, unless a field says otherwise.
 */
final class CacheIdleState {
  /** A thread that does less than this in the idle time, is nearly idle. */
  private static final long FEW_OPERATIONS = 1024;

  /** What a nearly idle thread may keep: less is not worth its next cache. */
  private static final long NEARLY_IDLE_BYTES = 64 << 10;

  private static final int LONGEST_PAUSE_LOG2 = 6;

  private boolean begun;
  private long sinceNanos;
  private long operationsThen;
  private long operations;
  private int failures;
  private int pauseRounds;

  /** Free slots that other threads released, in bytes. */
  private long remoteBytes;

  private long freeBytes;

  /**
   * The thread does not find the cache any more, and the cache has not ended yet. Guarded by the
   * lock of {@link ThreadCaches}.
   */
  boolean suspended;

  /** Looks at the counters; whether the thread has done little for {@code idleNanos}. */
  boolean isQuiet(ThreadCache cache, long nowNanos, long idleNanos) {
    count(cache);
    remoteBytes = 0;
    if (!begun || operations - operationsThen > FEW_OPERATIONS) {
      begun = true;
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

  void addRemote(long bytes) {
    remoteBytes += bytes;
  }

  /** Bytes of free slots, in the owner's lists or released by others. */
  long freeBytes() {
    return freeBytes + remoteBytes;
  }

  /** Whether the cache has enough for the trouble. */
  boolean isWorthTaking() {
    return freeBytes() > (operations == operationsThen ? 0 : NEARLY_IDLE_BYTES);
  }

  /** Whether to wait another round, after attempts in vain. */
  boolean pauses() {
    return pauseRounds > 0 && pauseRounds-- > 0;
  }

  /** The thread could not be shown to be outside: each time it is left alone for longer. */
  void failed() {
    failures = Math.min(LONGEST_PAUSE_LOG2, failures + 1);
    pauseRounds = 1 << (failures - 1);
  }
}
