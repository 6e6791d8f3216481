/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MemoryBackoffError;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that the host has just refused memory.
 *
 * <p>Before the JVM refuses direct memory, it collects garbage and lets the calling thread sleep
 * for half a second. A host at its limit lives on in what is left of its own chunks; if each of its
 * allocations asked for one of ours first, its event loops would do nothing else. So for a hundred
 * times as long as a refusal took, no request of that size is made, unless memory was freed.
 */
final class AllocationBackoff {
  /** AllocationBackoff may take so much of the time: one part in a hundred. */
  private static final long PAUSE_FACTOR = 100;

  private static final long MOST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private record Refusal(int bytes, long freed, long tookNanos, long untilNanos) {}

  /** Of the threads that are refused at a time, one of them is remembered. */
  private volatile @Nullable Refusal last;

  /**
   * @param bytes what was refused
   * @param freed how often memory had been freed before it was asked for
   * @param startNanos when it was asked for
   * @param nowNanos when it was refused
   */
  void add(int bytes, long freed, long startNanos, long nowNanos) {
    long tookNanos = nowNanos - startNanos;
    long pauseNanos = Math.min(MOST_PAUSE_NANOS, PAUSE_FACTOR * tookNanos);
    last = new Refusal(bytes, freed, tookNanos, nowNanos + pauseNanos);
  }

  /** Whether a request would be refused again, as far as one can tell. */
  boolean covers(int bytes, long freed, long nowNanos) {
    Refusal refusal = last;
    return refusal != null
        && bytes >= refusal.bytes
        && freed == refusal.freed
        && nowNanos - refusal.untilNanos < 0;
  }

  /** What is thrown instead of asking. */
  MemoryBackoffError error(int bytes, long usedBytes, long limitBytes) {
    Refusal refusal = last;
    return new MemoryBackoffError(
        "Cistern: "
            + bytes
            + " bytes of direct memory are not asked for: "
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
