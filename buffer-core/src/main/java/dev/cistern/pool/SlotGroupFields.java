/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * The fields of a {@link SlotGroup} that change while it is in use, by who writes them, each kind
 * on cache lines of its own; those that both sides read and nobody writes are in the group itself.
 * On one line, each release by another thread would take it away from the owner, and the owner's
 * next operation would take it back.
 *
 * <p>In superclasses, since the JVM lays out the fields of a superclass before those of a subclass;
 * within one class it orders them as it likes, and moves small ones into holes.
 */
final class SlotGroupFields {
  private SlotGroupFields() {}

  /** Written by threads that are not the owner. */
  abstract static class OfOthers {
    /** See {@link RemoteWord}; by volatile reads and compare-and-set. */
    @SuppressWarnings("unused") // by its handle
    volatile long remote;

    /**
     * How many slots were in use when the subpage became an orphan; guarded by the orphans' lock.
     */
    int orphanUsed;
  }

  /** A cache line that nobody uses. */
  @SuppressWarnings("unused")
  abstract static class FirstGap extends OfOthers {
    private long gap1;
    private long gap2;
    private long gap3;
    private long gap4;
    private long gap5;
    private long gap6;
    private long gap7;
  }

  /** Written by the owner, the first two with each operation. */
  abstract static class OfOwner extends FirstGap {
    /** The first slot of the owner's list plus one, or 0; last in, first out. Owner only. */
    int head;

    /**
     * How many releases by the owner are nothing but a push, before one that the bin wants to know
     * of. A subpage set aside with something free has as many slots in use, less one; a rack what
     * {@link Bin#quietReleases} allows. Owner only.
     */
    int untilEdge;

    /** Rack: the first place without a run plus one, or 0; owner only. */
    int vacantHead;

    /** Rack: how many places are in that list. */
    int vacant;

    /** Where it is in {@link ParkedGroups}. */
    int placeParked;

    /** The list this group is in; owner only, or guarded by the orphans' lock. */
    @Nullable GroupSet list;

    @Nullable SlotGroup previousInList;
    @Nullable SlotGroup nextInList;
  }

  /** A cache line that nobody uses. */
  @SuppressWarnings("unused")
  abstract static class SecondGap extends OfOwner {
    private long gap8;
    private long gap9;
    private long gap10;
    private long gap11;
    private long gap12;
    private long gap13;
    private long gap14;
    private int gap15; // for the hole behind what is above, where references take 8 bytes
  }
}
