/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * What a bin counts at each allocation and release, and when an allocation is more than counting.
 *
 * <p>Allocations and their bytes are one word, the upper 24 bits of the one and the lower 40 of the
 * other, so that the fast path reads, compares and stores once. The word is never set back: it
 * holds both counts as far as they fit, and the rest follows from values that were exact a while
 * ago. So readers need no lock: an old value of those serves as well as a new one.
 */
abstract class Tally {
  private static final int BYTES_BITS = 40;
  private static final long ONE_ALLOCATION = 1L << BYTES_BITS;
  private static final long BYTES_MASK = ONE_ALLOCATION - 1;
  private static final long ALLOCATIONS_MASK = -1L >>> BYTES_BITS;

  /** An allocation adds less than two to the upper part: none passes from here to a wrap unseen. */
  private static final long LAST_BEFORE_WRAP = Long.MAX_VALUE - 2 * ONE_ALLOCATION;

  // Several times as much fits into the word, as readers may come late.
  private static final long MOST_QUIET_ALLOCATIONS = 1L << 20;
  private static final long MOST_QUIET_BYTES = 1L << (BYTES_BITS - 4);

  // Written by the owner, plain; read by anybody, in BinCounters.
  long tally;

  /** The {@link #tally} from which on an allocation is more than counting. Owner only. */
  long quietUntil;

  long releases;

  /** Bytes and allocations at the last {@link #settle}, exact; bytes are written first. */
  long settledBytes;

  long settledAllocations;

  /** A tally with one more allocation. */
  static long plus(long tally, int bytes) {
    return tally + (ONE_ALLOCATION + bytes);
  }

  /** All bytes, where they were {@code settledBytes} less than 2^40 bytes ago. */
  static long bytes(long tally, long settledBytes) {
    return settledBytes + ((tally - settledBytes) & BYTES_MASK);
  }

  /** All allocations, where they were {@code settledAllocations} less than 2^24 of them ago. */
  static long allocations(long tally, long settledBytes, long settledAllocations) {
    long fitting = (tally - bytes(tally, settledBytes)) >>> BYTES_BITS;
    return settledAllocations + ((fitting - settledAllocations) & ALLOCATIONS_MASK);
  }

  /** Whether so much may have been counted between two values of what is settled. */
  static boolean fits(long bytes, long allocations) {
    return bytes <= 2 * MOST_QUIET_BYTES && allocations <= 2 * MOST_QUIET_ALLOCATIONS;
  }

  // ---- the owner's side

  final long requestedBytes() {
    return bytes(tally, settledBytes);
  }

  final long allocations() {
    return allocations(tally, settledBytes, settledAllocations);
  }

  /** Counts an allocation whose bytes follow: where no object can be made, they do not. */
  final void countAllocation() {
    tally += ONE_ALLOCATION;
  }

  final void countBytes(int bytes) {
    tally += bytes;
  }

  /**
   * Looks how many allocations of at most {@code slotBytes} may come that are nothing but counting.
   *
   * @param allocationsLeft so many, at most
   * @param bytesLeft they must not have asked for more
   */
  final void stayQuiet(long allocationsLeft, long bytesLeft, int slotBytes) {
    settle();
    long quiet = Math.min(bytesLeft, MOST_QUIET_BYTES) / slotBytes;
    quiet = Math.max(0, Math.min(quiet, Math.min(allocationsLeft, MOST_QUIET_ALLOCATIONS)));
    long until = tally + (quiet + 1) * ONE_ALLOCATION;
    if (until < tally || until > LAST_BEFORE_WRAP) {
      until = tally < LAST_BEFORE_WRAP ? LAST_BEFORE_WRAP : Long.MIN_VALUE;
    }
    quietUntil = until;
  }

  private void settle() {
    long allocations = allocations();
    BinCounters.settle(this, requestedBytes(), allocations);
  }
}
