/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of slot groups that is also a stack; a group is in one set at a time and knows its place.
 * An array, because links would lead through groups that no thread has touched for long. Not
 * thread-safe.
 */
final class GroupSet {
  private @Nullable SlotGroup[] groups = new SlotGroup[4];
  private int size;

  /** The place that {@link #next} returned last. */
  private int cursor;

  int size() {
    return size;
  }

  /** Returns the group at a place, from 0 to less than {@link #size}. */
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
   * Returns one of the groups that were added last, each time another, or null if there is none.
   *
   * @param round how many groups it goes through before it begins again
   */
  @Nullable SlotGroup next(int round) {
    cursor--;
    if (cursor < size - round || cursor < 0 || cursor >= size) {
      cursor = size - 1;
    }
    return size == 0 ? null : groups[cursor];
  }

  /** Makes room for {@code count} groups, so that adding does not fail; may fail itself. */
  void reserve(int count) {
    if (count > groups.length) {
      groups = Arrays.copyOf(groups, Math.max(count, 2 * groups.length));
    }
  }

  /** Makes room for {@code count} groups, or returns false if the Java heap is full. */
  boolean tryReserve(int count) {
    try {
      reserve(count);
      return true;
    } catch (OutOfMemoryError heapIsFull) {
      return false;
    }
  }

  /** Adds a group that is in no set; there is room for it. */
  void add(SlotGroup group) {
    assert group.set == null : "in a set already";
    groups[size] = group;
    group.set = this;
    group.place = size++;
  }

  /** Removes a group; the group that was added last gets its place. */
  void remove(SlotGroup group) {
    assert group.set == this : "not in this set";
    SlotGroup last = get(size - 1); // before anything has changed: a call may fail
    groups[group.place] = last;
    last.place = group.place;
    groups[--size] = null;
    group.set = null;
  }

  /** Moves a group here that is in another set; all of it or nothing. */
  @SuppressWarnings("NullAway") // a set has no gap
  void moveFrom(GroupSet other, SlotGroup group) {
    // No call here: it might fail, and the group would be in no set.
    SlotGroup last = other.groups[--other.size];
    other.groups[group.place] = last;
    last.place = group.place;
    other.groups[other.size] = null;
    groups[size] = group;
    group.set = this;
    group.place = size++;
  }
}
