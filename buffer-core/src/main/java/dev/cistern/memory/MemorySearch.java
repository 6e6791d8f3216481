/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import org.jspecify.annotations.Nullable;

/**
 * Searches of memory for one byte, eight bytes at a time, without checks. An exclusive-or changes
 * each byte with the value to 0. A subtraction then borrows from the bit above each 0 (Mycroft;
 * Lamport 1975). Only the lowest bit of the result is always right, so each word is read with the
 * byte to find first at the low end.
 */
public final class MemorySearch {
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final int ROUND_BYTES = 8 * Long.BYTES;

  private MemorySearch() {}

  private static long zeroBytes(long word) {
    return (word - ONES) & ~word & HIGH_BITS;
  }

  /**
   * Returns the first index of {@code value} from {@code from} to {@code to}, exclusive, or -1;
   * index 0 is at {@code address}. Checks eight words together, which costs one branch.
   */
  public static int first(byte @Nullable [] base, long address, int from, int to, byte value) {
    long wanted = (value & 0xFF) * ONES;
    int i = from;
    while (i <= to - ROUND_BYTES && !isInRound(base, address + i, wanted)) {
      i += ROUND_BYTES;
    }
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long found = zeroBytes(MemoryNumbers.getLongLE(base, address + i) ^ wanted);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; i < to; i++) {
      if (MemoryNumbers.getByte(base, address + i) == value) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the last index of {@code value} from {@code from} to {@code to}, exclusive, or -1.
   * Indices can be {@link Integer#MAX_VALUE}, so the code never adds to an index.
   */
  public static int last(byte @Nullable [] base, long address, int from, int to, byte value) {
    long wanted = (value & 0xFF) * ONES;
    int i = to;
    while (i - from >= ROUND_BYTES && !isInRound(base, address + i - ROUND_BYTES, wanted)) {
      i -= ROUND_BYTES;
    }
    for (; i - from >= Long.BYTES; i -= Long.BYTES) {
      long found = zeroBytes(MemoryNumbers.getLong(base, address + i - Long.BYTES) ^ wanted);
      if (found != 0) {
        return i - 1 - (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; i > from; i--) {
      if (MemoryNumbers.getByte(base, address + i - 1) == value) {
        return i - 1;
      }
    }
    return -1;
  }

  /**
   * Returns whether eight words contain the byte, in any byte order, because the position does not
   * matter.
   */
  private static boolean isInRound(byte @Nullable [] base, long at, long wanted) {
    return ((inPair(base, at, wanted)
                | inPair(base, at + 16, wanted)
                | inPair(base, at + 32, wanted)
                | inPair(base, at + 48, wanted))
            & HIGH_BITS)
        != 0;
  }

  private static long inPair(byte @Nullable [] base, long at, long wanted) {
    long a = MemoryAccess.getLong(base, at) ^ wanted;
    long b = MemoryAccess.getLong(base, at + Long.BYTES) ^ wanted;
    return ((a - ONES) & ~a) | ((b - ONES) & ~b);
  }
}
