/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * A list of slot groups, linked through them; a group is in one list at a time. Not thread-safe.
 */
final class GroupList implements GroupSet {
  private @Nullable SlotGroup head;
  private @Nullable SlotGroup tail;
  private int size;

  @Nullable SlotGroup first() {
    return head;
  }

  int size() {
    return size;
  }

  /** A look without the lock that guards the list: may be wrong, and is right soon. */
  boolean isEmptyRacy() {
    return head == null;
  }

  @Override
  public void add(SlotGroup group) {
    assert group.list == null : "in a list already";
    group.list = this;
    group.previousInList = null;
    group.nextInList = head;
    if (head != null) {
      head.previousInList = group;
    } else {
      tail = group;
    }
    head = group;
    size++;
  }

  /** Moves a group here that is in another list, to the first place; all of it or nothing. */
  void takeFrom(GroupList other, SlotGroup group) {
    // No call here: it might fail, and the group would be in no list.
    SlotGroup previous = group.previousInList;
    SlotGroup next = group.nextInList;
    if (previous != null) {
      previous.nextInList = next;
    } else {
      other.head = next;
    }
    if (next != null) {
      next.previousInList = previous;
    } else {
      other.tail = previous;
    }
    other.size--;
    group.list = this;
    group.previousInList = null;
    group.nextInList = head;
    if (head != null) {
      head.previousInList = group;
    } else {
      tail = group;
    }
    head = group;
    size++;
  }

  /**
   * Moves a group here that is parked; all of it or nothing.
   *
   * @param isLast whether it comes behind all others, instead of before them
   */
  @SuppressWarnings("NullAway") // parked groups stand without a gap
  void takeFrom(ParkedGroups parked, SlotGroup group, boolean isLast) {
    // No call here, as above.
    SlotGroup moved = parked.groups[--parked.size];
    parked.groups[group.placeParked] = moved;
    moved.placeParked = group.placeParked;
    parked.groups[parked.size] = null;
    group.list = this;
    group.previousInList = isLast ? tail : null;
    group.nextInList = isLast ? null : head;
    if (head == null) {
      head = group;
      tail = group;
    } else if (isLast) {
      tail.nextInList = group;
      tail = group;
    } else {
      head.previousInList = group;
      head = group;
    }
    size++;
  }

  /** Puts in a group that is in no list, behind all others. */
  void addLast(SlotGroup group) {
    if (tail == null) {
      add(group);
      return;
    }
    assert group.list == null : "in a list already";
    group.list = this;
    group.previousInList = tail;
    group.nextInList = null;
    tail.nextInList = group;
    tail = group;
    size++;
  }

  @Override
  public void remove(SlotGroup group) {
    assert group.list == this : "not in this list";
    if (group.previousInList != null) {
      group.previousInList.nextInList = group.nextInList;
    } else {
      head = group.nextInList;
    }
    if (group.nextInList != null) {
      group.nextInList.previousInList = group.previousInList;
    } else {
      tail = group.previousInList;
    }
    group.previousInList = null;
    group.nextInList = null;
    group.list = null;
    size--;
  }
}
