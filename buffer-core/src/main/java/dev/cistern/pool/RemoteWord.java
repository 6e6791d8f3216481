/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * What threads that do not own a slot group share about it, in one 64-bit word, so that one
 * compare-and-set changes all of it: the list of slots released by others (its first slot and its
 * length), the state of the group, and an epoch that counts changes of ownership.
 *
 * <p>The list is only pushed to, one slot at a time, and only taken as a whole; so a stale head is
 * never followed (no ABA). The epoch makes an exchange that began under an earlier owner fail.
 */
final class RemoteWord {
  /** An owner allocates from the group. */
  static final int OWNED = 0;

  /** The owner found nothing free and put the group aside; the next release tells it. */
  static final int FULL = 1;

  /** As FULL, and the owner has been told. */
  static final int NOTIFIED = 2;

  /** A subpage without an owner. */
  static final int ORPHAN = 3;

  /** A subpage whose run was given back. */
  static final int DEAD = 4;

  /** A rack without an owner. */
  static final int LEFT = 5;

  /** Not a part of any chunk: a huge extent. */
  static final int EXTENT = 6;

  private static final int HEAD_SHIFT = 8;
  private static final int COUNT_SHIFT = 24;
  private static final int EPOCH_SHIFT = 40;
  private static final long STATE_MASK = 0xFF;
  private static final long EPOCH_MASK = -1L << EPOCH_SHIFT;

  /** Slots are named by 16 bits. One value means "none", three say how far a release is. */
  static final int MAX_SLOTS = 0xFFFC;

  private RemoteWord() {}

  static int state(long word) {
    return (int) (word & STATE_MASK);
  }

  /** Index of the first listed slot plus one, or 0 where the list is empty. */
  static int head(long word) {
    return (int) (word >>> HEAD_SHIFT) & 0xFFFF;
  }

  static int count(long word) {
    return (int) (word >>> COUNT_SHIFT) & 0xFFFF;
  }

  /** The word with one more slot listed. */
  static long push(long word, int index, int state) {
    return (word & EPOCH_MASK)
        | ((long) (count(word) + 1) << COUNT_SHIFT)
        | ((long) (index + 1) << HEAD_SHIFT)
        | state;
  }

  /** The word with the same list. */
  static long inState(long word, int state) {
    return (word & ~STATE_MASK) | state;
  }

  /** The word with an empty list. */
  static long taken(long word, int state) {
    return (word & EPOCH_MASK) | state;
  }

  /** The word with an empty list and the next epoch. */
  static long handedOver(long word, int state) {
    return ((word & EPOCH_MASK) + (1L << EPOCH_SHIFT)) | state;
  }
}
