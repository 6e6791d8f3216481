/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Groups without a free slot, which may be thousands, and which leave in any order: an array, since
 * links would go through groups that nobody has touched for long, two of them for each that leaves.
 * Not thread-safe.
 */
final class ParkedGroups implements GroupSet {
  @Nullable SlotGroup[] groups = new SlotGroup[4];
  int size;

  int size() {
    return size;
  }

  /** One of them, from 0 to less than {@link #size}; those above it move when it is removed. */
  SlotGroup get(int place) {
    SlotGroup group = groups[place];
    if (group == null) {
      throw new AssertionError("no group at " + place + " of " + size);
    }
    return group;
  }

  /** Makes room for {@code count} groups, so that {@link #add} does not fail; may fail itself. */
  void reserve(int count) {
    if (count > groups.length) {
      groups = Arrays.copyOf(groups, Math.max(count, 2 * groups.length));
    }
  }

  @Override
  public void add(SlotGroup group) {
    assert group.list == null : "in a list already";
    groups[size] = group;
    group.list = this;
    group.placeParked = size++;
  }

  @Override
  public void remove(SlotGroup group) {
    assert group.list == this : "not in this list";
    SlotGroup last = get(size - 1); // before anything has changed: a call may fail
    groups[group.placeParked] = last;
    last.placeParked = group.placeParked;
    groups[--size] = null;
    group.list = null;
  }
}
