/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * The slots of a group as lists of indices: the owner's free ones, the vacant places of a rack, and
 * the links of the list that other threads push to. Not thread-safe: each list has one who may
 * touch it, and a slot is in one list at a time.
 */
abstract class SlotLists {
  // In the links, of a slot that is in no list:

  /** Its release is to be repeated. */
  static final char PENDING = 0xFFFF;

  /** The same, but its release is counted already. */
  static final char PENDING_COUNTED = 0xFFFE;

  /** Its release by another thread is counted, and not finished yet. */
  static final char COUNTED = 0xFFFD;

  final int slots;

  /**
   * By slot: the next of the list that it is in, plus one; 0 at the end. Written by who holds the
   * slot.
   */
  final char[] links;

  /** The first slot of the owner's list plus one, or 0; last in, first out. Owner only. */
  int head;

  /** Rack: the first place without a run plus one, or 0; owner only. */
  private int vacantHead;

  /** Rack: how many places are in that list. */
  private int vacant;

  SlotLists(int slots) {
    this.slots = slots;
    this.links = new char[slots];
  }

  /** All slots are free, the first on top. */
  final void listAllFree() {
    linkAll();
    head = 1;
  }

  /** No place has a run; the first is filled first. */
  final void listAllVacant() {
    linkAll();
    vacantHead = 1;
    vacant = slots;
  }

  private void linkAll() {
    for (int i = 0; i < slots - 1; i++) {
      links[i] = (char) (i + 2);
    }
  }

  // ---- the owner's free slots

  final void push(int index) {
    links[index] = (char) head;
    head = index + 1;
  }

  /** Takes the slot that was released last. */
  final int pop() {
    int index = head - 1;
    head = links[index];
    return index;
  }

  final boolean hasFree() {
    return head != 0;
  }

  /** How many slots the owner's list has: a walk, for slow paths. */
  final int countFree() {
    int count = 0;
    for (int next = head; next != 0; next = links[next - 1]) {
      count++;
    }
    return count;
  }

  /** The links may change under this walk: it ends, and is right at rest. */
  final int countFreeRacy() {
    int count = 0;
    for (int next = head; next != 0 && next <= slots && count < slots; next = links[next - 1]) {
      count++;
    }
    return count;
  }

  // ---- the vacant places of a rack

  final void addVacant(int index) {
    links[index] = (char) vacantHead;
    vacantHead = index + 1;
    vacant++;
  }

  /** Takes a place out of the list, which is not empty. */
  final int takeVacant() {
    int index = vacantHead - 1;
    vacantHead = links[index];
    vacant--;
    return index;
  }

  final boolean hasVacancy() {
    return vacant > 0;
  }

  /** No run is here, in use or free: the rack can be dropped. */
  final boolean isVacant() {
    return vacant == slots;
  }

  // ---- checks; at rest

  /** The slots in the owner's list, each exactly once. */
  final boolean[] ownFreeSlots() {
    boolean[] free = new boolean[slots];
    markListed(free, head);
    return free;
  }

  /**
   * The free slots in the owner's list and in the remote list, each exactly once.
   *
   * @param remoteHead the first slot of the remote list plus one, or 0
   * @param remoteCount how many slots it is said to have
   */
  final boolean[] freeSlots(int remoteHead, int remoteCount) {
    boolean[] free = new boolean[slots];
    markListed(free, head);
    int listed = markListed(free, remoteHead);
    PoolInvariants.require(listed == remoteCount, "remote list is as long as it says");
    return free;
  }

  /**
   * Marks the slots of a list that begins at {@code first} (an index plus one), each of which must
   * not be marked yet.
   *
   * @return how many they are
   */
  private int markListed(boolean[] listed, int first) {
    int count = 0;
    for (int next = first; next != 0; next = links[next - 1]) {
      PoolInvariants.require(!listed[next - 1], "slot " + (next - 1) + " is free once");
      listed[next - 1] = true;
      count++;
    }
    return count;
  }
}
