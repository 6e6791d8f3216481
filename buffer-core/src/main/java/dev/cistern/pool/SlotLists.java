/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * The slots of a group as lists of their indices, from 1: the owner's list of free slots, and the
 * links of the list that other threads push to. A slot is in one list at a time, so both lists
 * share one array of links. Index 0 marks the end of a list, and has no object.
 */
abstract class SlotLists {
  // Values of the link of a slot that is in no list:

  /** The release of the slot failed; the maintenance thread repeats it. */
  static final char PENDING = 0xFFFF;

  /** The same as {@link #PENDING}, and the release is already counted. */
  static final char PENDING_COUNTED = 0xFFFE;

  /** A release by another thread is counted, and not finished yet. */
  static final char COUNTED = 0xFFFD;

  /** The {@link #fastReleasesLeft} of a current group, all of whose releases are fast. */
  static final int ALL_FAST = Integer.MAX_VALUE;

  // These fields are first in the object because a superclass's fields precede those of its
  // subclasses: the owner accesses them at each allocation and release.

  final int slots;

  /** The index of the first slot of the owner's list, or 0. Last in, first out. */
  int head;

  /**
   * Number of releases by the owner on the fast path before one takes the slow path. In a group
   * that is not current and has a free slot, this is the number of slots in use minus one. Only the
   * owner uses this field.
   */
  int fastReleasesLeft;

  /**
   * The index of the next slot in the same list, for each slot, or 0 at the end of the list.
   * Written by the thread that holds the slot or has the list.
   */
  final char[] links;

  /** The object bound to each slot. Written by the thread that holds the slot. */
  final @Nullable Object[] bound;

  /**
   * The thread that allocates from this group; null if there is none, or if the group belongs to a
   * shared cache. Written by the thread that has the group. A thread reads itself here only if it
   * wrote itself. The maintenance thread may write null while the owner sleeps
   * (docs/internals/decisions/0007).
   */
  @Nullable Thread owner;

  /** The counters of the owner's bin; written with {@link #owner}. */
  @SuppressWarnings("NullAway.Init")
  BinCounters counters;

  SlotLists(int slots) {
    this.slots = slots;
    this.links = new char[slots + 1];
    this.bound = new Object[slots + 1];
  }

  /** Lists all slots as free, the first slot on top. */
  final void listAllFree() {
    for (int index = 1; index < slots; index++) {
      links[index] = (char) (index + 1);
    }
    links[slots] = 0;
    head = slots == 0 ? 0 : 1;
  }

  /** Adds a slot to the owner's list. */
  final void push(int index) {
    assert index > 0 : "no slot has index 0";
    links[index] = (char) head;
    head = index;
  }

  /** Removes the slot that was released last from the owner's list, which is not empty. */
  final int pop() {
    int index = head;
    head = links[index];
    return index;
  }

  final boolean hasFree() {
    return head != 0;
  }

  /**
   * Returns the number of slots in the owner's list. Walks over the list, so only slow paths call
   * it.
   */
  final int countFree() {
    int count = 0;
    for (int next = head; next != 0; next = links[next]) {
      count++;
    }
    return count;
  }

  /**
   * Returns the approximate number to any thread. The links may change meanwhile, but the walk
   * ends.
   */
  final int countFreeRacy() {
    int count = 0;
    for (int next = head; next != 0 && next <= slots && count < slots; next = links[next]) {
      count++;
    }
    return count;
  }
}
