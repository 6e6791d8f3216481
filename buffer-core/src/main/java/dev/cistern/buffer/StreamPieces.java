/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Arrays through which bytes pass between native memory and streams. Each is lent to one call at a
 * time, so that a stream that uses a buffer itself gets another, and there are as many as slots,
 * however many (virtual) threads there are.
 */
final class StreamPieces {
  private static final int PIECE_BYTES = 8192;

  private static final byte[] LENT = {};

  /** A power of two. */
  private static final int SLOTS = 16;

  /** By thread; swapped by any. */
  private static final AtomicReferenceArray<byte[]> PIECES = new AtomicReferenceArray<>(SLOTS);

  static {
    for (int slot = 0; slot < SLOTS; slot++) {
      PIECES.set(slot, LENT); // made when first needed
    }
  }

  private StreamPieces() {}

  private static int slot() {
    return (int) Thread.currentThread().getId() & SLOTS - 1;
  }

  static byte[] borrow() {
    byte[] piece = PIECES.getAndSet(slot(), LENT);
    return piece == LENT ? new byte[PIECE_BYTES] : piece;
  }

  static void giveBack(byte[] piece) {
    PIECES.set(slot(), piece);
  }
}
