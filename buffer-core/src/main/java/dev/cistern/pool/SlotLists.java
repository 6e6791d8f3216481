/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * The slots of a group as lists of their indices, from 1: the owner's free slots, and the links of
 * the list that other threads push to. A slot is in one list at a time, so both lists share one
 * array of links. Index 0 stands for the end of a list, and has no object.
 */
abstract class SlotLists {
  // Values of a link, of a slot that is in no list:

  /** The maintenance thread has to repeat the release of the slot. */
  static final char PENDING = 0xFFFF;

  /** As {@link #PENDING}, but the release is counted already. */
  static final char PENDING_COUNTED = 0xFFFE;

  /** A release by another thread is counted, and not finished yet. */
  static final char COUNTED = 0xFFFD;

  /** The {@link #fastReleasesLeft} of a current group whose bin need not see any release. */
  static final int ALL_FAST = Integer.MAX_VALUE;

  // These fields come first in the object: the owner reads and writes them at each allocation and
  // release, and a superclass's fields precede those of its subclasses.

  final int slots;

  /** The index of the first slot of the owner's list, or 0; last in, first out. */
  int head;

  /**
   * How many releases by the owner are nothing but a push, before one that the bin has to see. A
   * group that is set aside and has something free has as many slots in use, less one. Owner only.
   */
  int fastReleasesLeft;

  /**
   * By slot: the index of the next slot of the same list, or 0 at the end of the list. Written by
   * the thread that holds the slot.
   */
  final char[] links;

  /** By slot: the object bound to it. Written by the thread that holds the slot. */
  final @Nullable Object[] bound;

  /**
   * The thread that allocates from here; null if there is none, or if a lock stands for it. Written
   * by the thread that has the group; a thread can read its own name here only if it wrote it. The
   * maintenance thread may write null while the owner sleeps (docs/decisions/0007).
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
    links[index] = (char) head;
    head = index;
  }

  /** Takes the slot that was released last out of the owner's list, which is not empty. */
  final int pop() {
    int index = head;
    head = links[index];
    return index;
  }

  final boolean hasFree() {
    return head != 0;
  }

  /** Returns how many slots the owner's list has, by a walk, for slow paths. */
  final int countFree() {
    int count = 0;
    for (int next = head; next != 0; next = links[next]) {
      count++;
    }
    return count;
  }

  /** Returns about the same for other threads: the links may change, but the walk ends. */
  final int countFreeRacy() {
    int count = 0;
    for (int next = head; next != 0 && next <= slots && count < slots; next = links[next]) {
      count++;
    }
    return count;
  }
}
