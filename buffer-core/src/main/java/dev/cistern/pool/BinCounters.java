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
  private static final long MAX_QUIET_ALLOCATIONS = 1L << 20;
  private static final long MAX_QUIET_BYTES = 1L << (BYTES_BITS - 4);

  private static final VarHandle TALLY = counter("tally");
  private static final VarHandle SETTLED_BYTES = counter("settledBytes");
  private static final VarHandle SETTLED_ALLOCATIONS = counter("settledAllocations");
  private static final VarHandle RELEASES = counter("releases");
  private static final VarHandle MISSES = counter("misses");
  private static final VarHandle RECOVERIES = counter("recoveries");
  private static final VarHandle ADOPTIONS = counter("adoptions");
  private static final VarHandle SLOTS_TAKEN = counter("slotsTaken");

  final int sizeClass;
  final int slotBytes;

  /** Allocations and their bytes. */
  long tally;

  /** The {@link #tally} from which on an allocation is more than counting. Owner only. */
  long quietUntil;

  /** Releases by the owner. */
  long releases;

  /** Bytes and allocations when they were settled last, exact; bytes are written first. */
  private long settledBytes;

  private long settledAllocations;

  /** Times that the arena was needed. */
  long misses;

  /** Times that an empty list was filled without the arena. */
  long recoveries;

  /** Orphans that were adopted. */
  long adoptions;

  /**
   * Free slots that came into the bin other than by a release of the owner, less those that left.
   */
  long slotsTaken;

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

  /** Returns all bytes, if they were {@code settledBytes} less than 2^40 bytes ago. */
  private static long bytes(long tally, long settledBytes) {
    return settledBytes + ((tally - settledBytes) & BYTES_MASK);
  }

  /** Returns all allocations, if they were {@code settled} less than 2^24 of them ago. */
  private static long allocations(long tally, long settledBytes, long settled) {
    long fitting = (tally - bytes(tally, settledBytes)) >>> BYTES_BITS;
    return settled + ((fitting - settled) & ALLOCATIONS_MASK);
  }

  // ---- the owner's side

  long requestedBytes() {
    return bytes(tally, settledBytes);
  }

  long allocations() {
    return allocations(tally, settledBytes, settledAllocations);
  }

  /** Returns how many slots are free in the owner's lists. */
  long cachedSlots() {
    return slotsTaken + releases - allocations();
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
  void stayQuiet(long allocationsLeft, long bytesLeft) {
    long allocations = allocations();
    SETTLED_BYTES.setRelease(this, requestedBytes()); // no reader sees the next without this
    SETTLED_ALLOCATIONS.setRelease(this, allocations);
    long quiet = Math.min(bytesLeft, MAX_QUIET_BYTES) / slotBytes;
    quiet = Math.max(0, Math.min(quiet, Math.min(allocationsLeft, MAX_QUIET_ALLOCATIONS)));
    long until = tally + (quiet + 1) * ONE_ALLOCATION;
    if (until < tally || until > LAST_BEFORE_WRAP) {
      until = tally < LAST_BEFORE_WRAP ? LAST_BEFORE_WRAP : Long.MIN_VALUE;
    }
    quietUntil = until;
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
      long allocations = (long) SETTLED_ALLOCATIONS.getAcquire(this);
      long bytes = (long) SETTLED_BYTES.getAcquire(this);
      // After them, so that it is not older than they are. Acquire, so that what is read after
      // sees these allocations, too.
      long tally = (long) TALLY.getAcquire(this);
      long bytesSince = (long) SETTLED_BYTES.getAcquire(this) - bytes;
      long allocationsSince = (long) SETTLED_ALLOCATIONS.getAcquire(this) - allocations;
      // Otherwise this thread was held up for long, and more has passed than the tally holds.
      if (bytesSince <= 2 * MAX_QUIET_BYTES && allocationsSince <= 2 * MAX_QUIET_ALLOCATIONS) {
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

  long readRecoveries() {
    return (long) RECOVERIES.getOpaque(this);
  }

  long readAdoptions() {
    return (long) ADOPTIONS.getOpaque(this);
  }

  /** Reads about how many slots are free in the owner's lists. */
  long readCachedSlots() {
    // What adds to them first: slots on their way are seen by neither.
    long came = readReleases() + (long) SLOTS_TAKEN.getOpaque(this);
    return Math.max(0, came - readAllocations());
  }

  @Override
  public String toString() {
    return slotBytes
        + " B: taken "
        + slotsTaken
        + ", allocations "
        + allocations()
        + ", releases "
        + releases;
  }
}
