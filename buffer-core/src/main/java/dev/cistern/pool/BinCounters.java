/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a bin counts, and when an allocation is more than counting. The owner of the bin writes with
 * plain stores; any thread reads with opaque or acquire loads, which are never torn and never go
 * back. The counters outlive the bin: the next cache of the same arena continues them.
 *
 * <p>Allocations and their bytes share one word, the upper 24 bits and the lower 40, so that the
 * fast path reads, compares and stores once. The word is never set back: it holds both counts as
 * far as they fit, and the rest follows from values that were exact some time ago ("settled"). So
 * readers need no lock: an old settled value serves as well as a new one.
 */
final class BinCounters {
  private static final int BYTES_BITS = 40;
  static final long ONE_ALLOCATION = 1L << BYTES_BITS;
  private static final long BYTES_MASK = ONE_ALLOCATION - 1;
  private static final long ALLOCATIONS_MASK = -1L >>> BYTES_BITS;

  /** An allocation adds less than two to the upper part: none passes from here to a wrap unseen. */
  private static final long LAST_BEFORE_WRAP = Long.MAX_VALUE - 2 * ONE_ALLOCATION;

  // Several times as much fits into the word, because readers may come late.
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

  /** The {@link #tally} from which on an allocation is more than counting. Owner only. */
  long fastPathLimit;

  /** Releases by the owner. */
  long releases;

  /** Bytes and allocations when they were settled last, exact; bytes are written first. */
  private long baseBytes;

  private long baseAllocations;

  /** Times that the arena was needed. */
  long misses;

  /** Times that an empty list was filled without the arena. */
  long remoteRefills;

  /** Orphans that were adopted. */
  long adoptions;

  /**
   * Free slots that came into the bin other than by a release of the owner, less those that left.
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

  /** Returns all bytes, if they were {@code baseBytes} less than 2^40 bytes ago. */
  private static long bytes(long tally, long baseBytes) {
    return baseBytes + ((tally - baseBytes) & BYTES_MASK);
  }

  /** Returns all allocations, if they were {@code settled} less than 2^24 of them ago. */
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

  /** Returns how many slots are free in the owner's lists. */
  long cachedSlots() {
    return slotsAcquired + releases - allocations();
  }

  /** Counts an allocation whose bytes follow: if no object can be made, they do not. */
  void countAllocation() {
    tally += ONE_ALLOCATION;
  }

  void countBytes(int bytes) {
    tally += bytes;
  }

  /**
   * Settles, and lets the next allocations be nothing but counting.
   *
   * @param allocationsLeft how many, at most
   * @param bytesLeft how many bytes they may request
   */
  void extendFastPath(long allocationsLeft, long bytesLeft) {
    long allocations = allocations();
    BASE_BYTES.setRelease(this, requestedBytes()); // no reader sees the next without this
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

  /** Reads the bytes or the allocations, by values of one time. */
  private long read(boolean isOfBytes) {
    for (; ; ) {
      long allocations = (long) BASE_ALLOCATIONS.getAcquire(this);
      long bytes = (long) BASE_BYTES.getAcquire(this);
      // After them, so that it is not older than they are. Acquire, so that what is read after
      // sees these allocations, too.
      long tally = (long) TALLY.getAcquire(this);
      long bytesSince = (long) BASE_BYTES.getAcquire(this) - bytes;
      long allocationsSince = (long) BASE_ALLOCATIONS.getAcquire(this) - allocations;
      // Otherwise this thread was held up for long, and more has passed than the tally holds.
      if (bytesSince <= 2 * MAX_FAST_BYTES && allocationsSince <= 2 * MAX_FAST_ALLOCATIONS) {
        return isOfBytes ? bytes(tally, bytes) : allocations(tally, bytes, allocations);
      }
    }
  }

  long readReleases() {
    // Acquire, so that the allocation of each release seen here is seen by what is read after.
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

  /** Reads about how many slots are free in the owner's lists. */
  long readCachedSlots() {
    // What adds to them first: slots on their way are seen by neither.
    long came = readReleases() + (long) SLOTS_ACQUIRED.getOpaque(this);
    return Math.max(0, came - readAllocations());
  }

  @Override
  public String toString() {
    return slotBytes
        + " B: taken "
        + slotsAcquired
        + ", allocations "
        + allocations()
        + ", releases "
        + releases;
  }
}
