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
  private static final VarHandle ALLOCATIONS = counter("allocations");
  private static final VarHandle RELEASES = counter("releases");
  private static final VarHandle MISSES = counter("misses");
  private static final VarHandle RECOVERIES = counter("recoveries");
  private static final VarHandle ADOPTIONS = counter("adoptions");
  private static final VarHandle REQUESTED_BYTES = counter("requestedBytes");
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

  static long allocations(Bin bin) {
    return (long) ALLOCATIONS.getAcquire(bin);
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

  static long requestedBytes(Bin bin) {
    // Acquire, so that the allocation that asked for them is seen by what is read after.
    return (long) REQUESTED_BYTES.getAcquire(bin);
  }

  static long slotsTaken(Bin bin) {
    return (long) SLOTS_TAKEN.getOpaque(bin);
  }

  static long trims(ThreadCache cache) {
    return (long) TRIMS.getOpaque(cache);
  }
}
