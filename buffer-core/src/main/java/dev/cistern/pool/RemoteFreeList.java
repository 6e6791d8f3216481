/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * The list of the slots of a group that other threads released, in one 64-bit word: its first slot,
 * its length, the state of the group, and an epoch that counts changes of ownership. So one
 * compare-and-set changes all four.
 *
 * <p>Threads push one slot at a time, and take the list only as a whole, so they never follow a
 * stale head (no ABA). A compare-and-set that began under an earlier owner fails by the epoch.
 */
final class RemoteFreeList {
  /** An owner allocates from the group. */
  static final int OWNED = 0;

  /** The owner found no free slot, and uses another group. Enough releases send a notice. */
  static final int FULL = 1;

  /** The same as {@link #FULL}, and a thread has sent the notice, or is about to send it. */
  static final int NOTIFIED = 2;

  /** The group has no owner, and some of its slots are in use. */
  static final int ORPHAN = 3;

  /** The group has no slot in use, and its run is free or about to be freed. */
  static final int FREED = 4;

  /** The group is an extent, and has no chunk. */
  static final int EXTENT = 5;

  private static final int HEAD_SHIFT = 8;
  private static final int COUNT_SHIFT = 24;
  private static final int EPOCH_SHIFT = 40;
  private static final long STATE_MASK = 0xFF;
  private static final long EPOCH_MASK = -1L << EPOCH_SHIFT;

  /**
   * The maximum number of slots. A link has 16 bits: one value means "none", and three are stages
   * of a release.
   */
  static final int MAX_SLOTS = 0xFFFC;

  private RemoteFreeList() {}

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
