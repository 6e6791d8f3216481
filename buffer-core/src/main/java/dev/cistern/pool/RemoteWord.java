/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * The list of the slots of a group that other threads released, in one 64-bit word: its first slot,
 * its length, the state of the group, and an epoch that counts changes of ownership. So one
 * compare-and-set changes all of it.
 *
 * <p>The list is only pushed to, one slot at a time, and only taken as a whole; so a stale head is
 * never followed (no ABA). The epoch makes an exchange that began under an earlier owner fail.
 */
final class RemoteWord {
  /** An owner allocates from the group. */
  static final int OWNED = 0;

  /** The owner found no free slot and set the group aside; enough releases send a notice. */
  static final int FULL = 1;

  /** As {@link #FULL}, and the notice is under way or has come. */
  static final int NOTIFIED = 2;

  /** The group has no owner, and some of its slots are in use. */
  static final int ORPHAN = 3;

  /** The group has no slot in use, and its run goes back to the chunk. */
  static final int FREED = 4;

  /** The group is not a part of any chunk, but an extent. */
  static final int EXTENT = 5;

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

  /** Returns the index of the first listed slot, or 0 if the list is empty. */
  static int head(long word) {
    return (int) (word >>> HEAD_SHIFT) & 0xFFFF;
  }

  static int count(long word) {
    return (int) (word >>> COUNT_SHIFT) & 0xFFFF;
  }

  /** Returns the word with one more slot listed. */
  static long push(long word, int index, int state) {
    return (word & EPOCH_MASK)
        | ((long) (count(word) + 1) << COUNT_SHIFT)
        | ((long) index << HEAD_SHIFT)
        | state;
  }

  /** Returns the word with the same list. */
  static long inState(long word, int state) {
    return (word & ~STATE_MASK) | state;
  }

  /** Returns the word with an empty list. */
  static long taken(long word, int state) {
    return (word & EPOCH_MASK) | state;
  }

  /** Returns the word with an empty list and the next epoch. */
  static long handedOver(long word, int state) {
    return ((word & EPOCH_MASK) + (1L << EPOCH_SHIFT)) | state;
  }
}
