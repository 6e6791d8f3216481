/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Reads the counters of other threads' bins. The owner writes them plain; an opaque read is never
 * torn, never cached by the compiler, and never goes back.
 */
final class BinCounters {
  private static final VarHandle ALLOCATIONS = counter("allocations");
  private static final VarHandle RELEASES = counter("releases");
  private static final VarHandle REMOTE_RELEASES = counter("remoteReleases");
  private static final VarHandle MISSES = counter("misses");
  private static final VarHandle REQUESTED_BYTES = counter("requestedBytes");
  private static final VarHandle SLOTS_TAKEN = counter("slotsTaken");

  private BinCounters() {}

  private static VarHandle counter(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(Bin.class, name, long.class);
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

  static long remoteReleases(Bin bin) {
    return (long) REMOTE_RELEASES.getAcquire(bin);
  }

  static long misses(Bin bin) {
    return (long) MISSES.getOpaque(bin);
  }

  static long requestedBytes(Bin bin) {
    return (long) REQUESTED_BYTES.getOpaque(bin);
  }

  static long slotsTaken(Bin bin) {
    return (long) SLOTS_TAKEN.getOpaque(bin);
  }
}
