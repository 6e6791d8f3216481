/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Reads the counters of other threads' caches. The owner writes them plain; an opaque read is never
 * torn, never cached by the compiler, and never goes back.
 */
final class BinCounters {
  private static final VarHandle TALLY = counter(Tally.class, "tally");
  private static final VarHandle SETTLED_BYTES = counter(Tally.class, "settledBytes");
  private static final VarHandle SETTLED_ALLOCATIONS = counter(Tally.class, "settledAllocations");
  private static final VarHandle RELEASES = counter(Tally.class, "releases");
  private static final VarHandle MISSES = counter("misses");
  private static final VarHandle RECOVERIES = counter("recoveries");
  private static final VarHandle ADOPTIONS = counter("adoptions");
  private static final VarHandle SLOTS_TAKEN = counter("slotsTaken");
  private static final VarHandle TRIMS = counter(ThreadCache.class, "trims");

  private BinCounters() {}

  private static VarHandle counter(String name) {
    return counter(Bin.class, name);
  }

  private static VarHandle counter(Class<?> holder, String name) {
    try {
      return MethodHandles.lookup().findVarHandle(holder, name, long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  static long allocations(Tally bin) {
    return count(bin, false);
  }

  /** The bytes or the allocations, by values of one time. */
  private static long count(Tally bin, boolean isOfBytes) {
    for (; ; ) {
      long settledAllocations = settledAllocations(bin);
      long settledBytes = settledBytes(bin);
      long tally = tally(bin); // after them, so that it is not older than they are
      if (stillServe(bin, settledBytes, settledAllocations)) {
        return isOfBytes
            ? Tally.bytes(tally, settledBytes)
            : Tally.allocations(tally, settledBytes, settledAllocations);
      }
    }
  }

  static long releases(Bin bin) {
    // Acquire, so that the allocation of each release seen here is seen by what is read after.
    return (long) RELEASES.getAcquire(bin);
  }

  static long misses(Bin bin) {
    return (long) MISSES.getOpaque(bin);
  }

  static long recoveries(Bin bin) {
    return (long) RECOVERIES.getOpaque(bin);
  }

  static long adoptions(Bin bin) {
    return (long) ADOPTIONS.getOpaque(bin);
  }

  static long requestedBytes(Tally bin) {
    return count(bin, true);
  }

  /** False where this thread was held up for long, and more has passed than the tally holds. */
  private static boolean stillServe(Tally bin, long settledBytes, long settledAllocations) {
    long bytesSince = settledBytes(bin) - settledBytes;
    return Tally.fits(bytesSince, settledAllocations(bin) - settledAllocations);
  }

  /** Owner: sets what the tally is read against; nobody sees the second without the first. */
  static void settle(Tally bin, long bytes, long allocations) {
    SETTLED_BYTES.setRelease(bin, bytes);
    SETTLED_ALLOCATIONS.setRelease(bin, allocations);
  }

  private static long tally(Tally bin) {
    // Acquire, so that what is read after sees these allocations too.
    return (long) TALLY.getAcquire(bin);
  }

  private static long settledBytes(Tally bin) {
    return (long) SETTLED_BYTES.getAcquire(bin);
  }

  private static long settledAllocations(Tally bin) {
    return (long) SETTLED_ALLOCATIONS.getAcquire(bin);
  }

  static long slotsTaken(Bin bin) {
    return (long) SLOTS_TAKEN.getOpaque(bin);
  }

  static long trims(ThreadCache cache) {
    return (long) TRIMS.getOpaque(cache);
  }
}
