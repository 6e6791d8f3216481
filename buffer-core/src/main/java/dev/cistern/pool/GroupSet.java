/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/** Where a slot group stands that is not the current one; a group is in one set at a time. */
sealed interface GroupSet permits GroupList, ParkedGroups {
  /** Puts in a group that is in none. */
  void add(SlotGroup group);

  /** Takes out a group that is in this one. */
  void remove(SlotGroup group);
}
