/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MemoryBackoffError;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pause of memory requests after a slow refusal.
 *
 * <p>Before the JVM refuses direct memory, it collects garbage and lets the calling thread sleep
 * for half a second. Under the agent, an application at its limit continues in its own chunks; if
 * each of its allocations requested a chunk of Cistern first, its event loops would do nothing
 * else. So no request of that size or more is made for a hundred times as long as the refusal took,
 * up to a minute, unless memory was freed.
 */
final class AllocationBackoff {
  /** The pause after a refusal, as a multiple of its duration. */
  private static final long PAUSE_FACTOR = 100;

  private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private record Refusal(int bytes, long freed, long tookNanos, long untilNanos) {}

  /** The last refusal. If several threads are refused at the same time, it is one of them. */
  private volatile @Nullable Refusal last;

  /**
   * Records a refusal.
   *
   * @param bytes the bytes that were refused
   * @param freed number of regions that were freed before the request
   * @param startNanos time of the request
   * @param nowNanos time of the refusal
   */
  void add(int bytes, long freed, long startNanos, long nowNanos) {
    long tookNanos = nowNanos - startNanos;
    long pauseNanos = Math.min(MAX_PAUSE_NANOS, PAUSE_FACTOR * tookNanos);
    last = new Refusal(bytes, freed, tookNanos, nowNanos + pauseNanos);
  }

  /** Returns whether a request would most likely be refused again. */
  boolean covers(int bytes, long freed, long nowNanos) {
    Refusal refusal = last;
    return refusal != null
        && bytes >= refusal.bytes
        && freed == refusal.freed
        && nowNanos - refusal.untilNanos < 0;
  }

  /** Returns the error that replaces a request. */
  MemoryBackoffError error(int bytes, long usedBytes, long limitBytes) {
    Refusal refusal = last;
    return new MemoryBackoffError(
        "Cistern: "
            + bytes
            + " bytes of direct memory were not requested: "
            + usedBytes
            + " of "
            + limitBytes
            + " are used (-XX:MaxDirectMemorySize, -Dio.netty.maxDirectMemory)"
            + (refusal == null
                ? ""
                : ", and "
                    + refusal.bytes
                    + " were refused after "
                    + TimeUnit.NANOSECONDS.toMillis(refusal.tookNanos)
                    + " ms"));
  }
}
