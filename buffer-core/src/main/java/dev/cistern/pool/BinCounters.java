/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of a bin, and the limit of its fast path. The owner of the bin writes with plain
 * stores. Any thread reads with opaque or acquire loads, which 64-bit JVMs never tear, and whose
 * values never decrease. The counters outlive the bin: the next cache of the same arena continues
 * them.
 *
 * <p>Allocations and their bytes share one word, the upper 24 bits and the lower 40, so that the
 * fast path reads, compares and stores once. The word is never reset: it has the low bits of both
 * counts. The upper bits follow from exact values of an earlier time, the base values. So readers
 * need no lock: an older base value gives the same result as a newer one.
 */
final class BinCounters {
  private static final int BYTES_BITS = 40;
  static final long ONE_ALLOCATION = 1L << BYTES_BITS;
  private static final long BYTES_MASK = ONE_ALLOCATION - 1;
  private static final long ALLOCATIONS_MASK = -1L >>> BYTES_BITS;

  /**
   * The last value from which an allocation cannot wrap, because it adds less than two to the upper
   * part.
   */
  private static final long LAST_BEFORE_WRAP = Long.MAX_VALUE - 2 * ONE_ALLOCATION;

  // The word has room for several times as many, because a reader may be slow.
  private static final long MAX_FAST_ALLOCATIONS = 1L << 20;
  private static final long MAX_FAST_BYTES = 1L << (BYTES_BITS - 4);

  private static final VarHandle TALLY = counter("tally");
  private static final VarHandle BASE_BYTES = counter("baseBytes");
  private static final VarHandle BASE_ALLOCATIONS = counter("baseAllocations");
  private static final VarHandle RELEASES = counter("releases");
  private static final VarHandle MISSES = counter("misses");
  private static final VarHandle REMOTE_REFILLS = counter("remoteRefills");
  private static final VarHandle ADOPTIONS = counter("adoptions");
  private static final VarHandle SLOTS_ACQUIRED = counter("slotsAcquired");

  final int sizeClass;
  final int slotBytes;

  /** Allocations and their bytes. */
  long tally;

  /**
   * The {@link #tally} from which on an allocation takes the slow path. Only the owner uses this
   * field.
   */
  long fastPathLimit;

  /** Releases by the owner. */
  long releases;

  /**
   * The exact bytes and allocations at the last {@link #extendFastPath}. The owner writes the bytes
   * first.
   */
  private long baseBytes;

  private long baseAllocations;

  /** Number of allocations that needed the arena. */
  long misses;

  /** Number of refills of an empty list without the arena. */
  long remoteRefills;

  /** Number of adopted orphans. */
  long adoptions;

  /**
   * Number of free slots that the bin acquired other than by a release of the owner, minus the
   * number of slots that it returned.
   */
  long slotsAcquired;

  BinCounters(int sizeClass, int slotBytes) {
    this.sizeClass = sizeClass;
    this.slotBytes = slotBytes;
  }

  private static VarHandle counter(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(BinCounters.class, name, long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** Returns the exact bytes, up to 2^40 bytes after {@code baseBytes} was exact. */
  private static long bytes(long tally, long baseBytes) {
    return baseBytes + ((tally - baseBytes) & BYTES_MASK);
  }

  /** Returns the exact allocations, up to 2^24 after the base values were exact. */
  private static long allocations(long tally, long baseBytes, long baseAllocations) {
    long fitting = (tally - bytes(tally, baseBytes)) >>> BYTES_BITS;
    return baseAllocations + ((fitting - baseAllocations) & ALLOCATIONS_MASK);
  }

  // ---- the owner's side

  long requestedBytes() {
    return bytes(tally, baseBytes);
  }

  long allocations() {
    return allocations(tally, baseBytes, baseAllocations);
  }

  /** Returns the number of free slots in the owner's lists. */
  long cachedSlots() {
    return slotsAcquired + releases - allocations();
  }

  /** Counts an allocation without its bytes, which do not count if no object can be created. */
  void countAllocation() {
    tally += ONE_ALLOCATION;
  }

  void countBytes(int bytes) {
    tally += bytes;
  }

  /**
   * Sets the base values, and extends the fast path to the next allocations.
   *
   * @param allocationsLeft the maximum number of these allocations
   * @param bytesLeft the maximum number of bytes that they may request
   */
  void extendFastPath(long allocationsLeft, long bytesLeft) {
    long allocations = allocations();
    BASE_BYTES.setRelease(this, requestedBytes()); // visible before the next store
    BASE_ALLOCATIONS.setRelease(this, allocations);
    long count = Math.min(bytesLeft, MAX_FAST_BYTES) / slotBytes;
    count = Math.max(0, Math.min(count, Math.min(allocationsLeft, MAX_FAST_ALLOCATIONS)));
    long limit = tally + (count + 1) * ONE_ALLOCATION;
    if (limit < tally || limit > LAST_BEFORE_WRAP) {
      limit = tally < LAST_BEFORE_WRAP ? LAST_BEFORE_WRAP : Long.MIN_VALUE;
    }
    fastPathLimit = limit;
  }

  // ---- any thread

  long readAllocations() {
    return read(false);
  }

  long readRequestedBytes() {
    return read(true);
  }

  /** Reads the bytes or the allocations, from base values and a tally of about the same time. */
  private long read(boolean isOfBytes) {
    for (; ; ) {
      long allocations = (long) BASE_ALLOCATIONS.getAcquire(this);
      long bytes = (long) BASE_BYTES.getAcquire(this);
      // After the base values, so that it is not older. Acquire, so that later reads see these
      // allocations, too.
      long tally = (long) TALLY.getAcquire(this);
      long bytesSince = (long) BASE_BYTES.getAcquire(this) - bytes;
      long allocationsSince = (long) BASE_ALLOCATIONS.getAcquire(this) - allocations;
      // Otherwise this thread was delayed, and the owner counted more than the tally can hold.
      if (bytesSince <= 2 * MAX_FAST_BYTES && allocationsSince <= 2 * MAX_FAST_ALLOCATIONS) {
        return isOfBytes ? bytes(tally, bytes) : allocations(tally, bytes, allocations);
      }
    }
  }

  long readReleases() {
    // Acquire, so that later reads see the allocation of each release that is seen here.
    return (long) RELEASES.getAcquire(this);
  }

  long readMisses() {
    return (long) MISSES.getOpaque(this);
  }

  long readRemoteRefills() {
    return (long) REMOTE_REFILLS.getOpaque(this);
  }

  long readAdoptions() {
    return (long) ADOPTIONS.getOpaque(this);
  }

  /** Returns about the number of free slots in the owner's lists. */
  long readCachedSlots() {
    // Additions first: slots that move meanwhile are in neither number.
    long came = readReleases() + (long) SLOTS_ACQUIRED.getOpaque(this);
    return Math.max(0, came - readAllocations());
  }

  @Override
  public String toString() {
    return slotBytes + " B, " + cachedSlots() + " free slots";
  }
}
