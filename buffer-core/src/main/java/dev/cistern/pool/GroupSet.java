/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of slot groups that is also a stack. A group is in one set at a time and stores its place.
 * The set is an array, because a linked list would read groups that are no longer in the
 * processor's cache. Not thread-safe.
 */
final class GroupSet {
  private @Nullable SlotGroup[] groups = new SlotGroup[4];
  private int size;

  /** The place of the group that {@link #next} returned last. */
  private int cursor;

  int size() {
    return size;
  }

  /** Returns the group at a place, which is 0 to {@link #size} - 1. */
  SlotGroup get(int place) {
    SlotGroup group = groups[place];
    if (group == null) {
      throw new AssertionError("no group at " + place + " of " + size);
    }
    return group;
  }

  /** Returns the group that was added last, or null if there is none. */
  @Nullable SlotGroup last() {
    return size == 0 ? null : groups[size - 1];
  }

  /**
   * Returns one of the groups that were added last, a different one at each call, or null if there
   * is none.
   *
   * @param round number of groups after which the calls start again with the last one
   */
  @Nullable SlotGroup next(int round) {
    cursor--;
    if (cursor < size - round || cursor < 0 || cursor >= size) {
      cursor = size - 1;
    }
    return size == 0 ? null : groups[cursor];
  }

  /** Reserves room for {@code count} groups, so that adding does not fail. May fail itself. */
  void reserve(int count) {
    if (count > groups.length) {
      groups = Arrays.copyOf(groups, Math.max(count, 2 * groups.length));
    }
  }

  /** Reserves room for {@code count} groups; returns false if the Java heap is full. */
  boolean tryReserve(int count) {
    try {
      reserve(count);
      return true;
    } catch (OutOfMemoryError heapIsFull) {
      return false;
    }
  }

  /** Adds a group that is in no set. The room must be reserved. */
  void add(SlotGroup group) {
    assert group.set == null : "in a set already";
    groups[size] = group;
    group.set = this;
    group.place = size++;
  }

  /** Removes a group; the group that was added last gets its place. */
  void remove(SlotGroup group) {
    assert group.set == this : "not in this set";
    SlotGroup last = get(size - 1); // before any change, because a call may fail
    groups[group.place] = last;
    last.place = group.place;
    groups[--size] = null;
    group.set = null;
  }

  /** Moves a group from another set to this one. A failure changes neither set. */
  @SuppressWarnings("NullAway") // a set has no gap
  void moveFrom(GroupSet other, SlotGroup group) {
    // No call here: if it failed, the group would be in no set.
    SlotGroup last = other.groups[--other.size];
    other.groups[group.place] = last;
    last.place = group.place;
    other.groups[other.size] = null;
    groups[size] = group;
    group.set = this;
    group.place = size++;
  }
}
