/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Releases by other threads, against each other and against the owner of a subpage. */
public final class RemoteReleaseCases {
  private RemoteReleaseCases() {}

  /** Two threads release into one group. Drained, free slots. */
  @JCStressTest
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both slots are listed once")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, or is listed twice")
  @State
  public static class TwoRemoteReleases {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    @Actor
    public void one() {
      group.release(1);
    }

    @Actor
    public void other() {
      group.release(2);
    }

    @Arbiter
    public void owner(II_Result result) {
      result.r1 = group.drainRemoteFrees();
      result.r2 = Parts.freeSlots(group);
    }
  }

  /** The owner takes the list while a slot is pushed. Drained first, drained later, free. */
  @JCStressTest
  @Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "one before")
  @Outcome(id = "2, 1, 3", expect = ACCEPTABLE, desc = "one after the first of the other thread")
  @Outcome(id = "3, 0, 3", expect = ACCEPTABLE, desc = "all before")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, or was drained twice")
  @State
  public static class RemoteReleasesDuringCollect {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 3);

    @Actor
    public void releaser() {
      group.release(1);
      group.release(2);
    }

    @Actor
    public void owner(III_Result result) {
      group.release(3); // into the remote list, so that three pushes meet two takes
      result.r1 = group.drainRemoteFrees();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = group.drainRemoteFrees();
      result.r3 = Parts.freeSlots(group);
    }
  }

  /** The owner marks the group full during a release. Marked, notices, free slots. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "marked first: the release sends a notice")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "released first: not marked, drained")
  @Outcome(expect = FORBIDDEN, desc = "a notice was lost, or was sent twice")
  @State
  public static class RemoteReleaseDuringMarkFull {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 2);

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void owner(III_Result result) {
      result.r1 = Parts.bit(group.markFull());
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = Parts.notices(bin);
      result.r3 = result.r2 > 0 ? group.acceptNotice() : group.drainRemoteFrees();
    }
  }

  /** Two threads release into a full group. Notices, received, free. */
  @JCStressTest
  @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "the first thread sends the notice")
  @Outcome(expect = FORBIDDEN, desc = "no notice, or two, or a slot was lost")
  @State
  public static class TwoRemoteReleasesIntoFullGroup {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 2);

    /** Marks the group full. */
    public TwoRemoteReleasesIntoFullGroup() {
      group.markFull();
    }

    @Actor
    public void one() {
      group.release(1);
    }

    @Actor
    public void other() {
      group.release(2);
    }

    @Arbiter
    public void owner(III_Result result) {
      result.r1 = Parts.notices(bin);
      result.r2 = group.acceptNotice();
      result.r3 = Parts.freeSlots(group);
    }
  }

  /** Two threads release the two slots that a notice needs. Notices, received, free. */
  @JCStressTest
  @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "the second thread sends the notice")
  @Outcome(expect = FORBIDDEN, desc = "no notice, or two, or a slot was lost")
  @State
  public static class TwoRemoteReleasesThatMakeANotice {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 16); // a notice needs an eighth: two

    /** Marks the group full. */
    public TwoRemoteReleasesThatMakeANotice() {
      group.markFull();
    }

    @Actor
    public void one() {
      group.release(1);
    }

    @Actor
    public void other() {
      group.release(2);
    }

    @Arbiter
    public void owner(III_Result result) {
      result.r1 = Parts.notices(bin);
      result.r2 = group.acceptNotice();
      result.r3 = Parts.freeSlots(group);
    }
  }

  /**
   * The owner marks the group full while two slots, enough for a notice, are released. Marked,
   * notices, free slots.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "marked in time: the second sends a notice")
  @Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "not marked: the owner has found them")
  @Outcome(expect = FORBIDDEN, desc = "a notice was lost, or was sent twice")
  @State
  public static class RemoteReleasesThatMakeANoticeDuringMarkFull {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 16);

    @Actor
    public void releaser() {
      group.release(1);
      group.release(2);
    }

    @Actor
    public void owner(III_Result result) {
      result.r1 = Parts.bit(group.markFull());
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = Parts.notices(bin);
      result.r3 = result.r2 > 0 ? group.acceptNotice() : group.drainRemoteFrees();
    }
  }

  /**
   * The owner drains a slot without a notice while another is released, and keeps the group marked
   * as full. Drained, notices, left over.
   */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "drained before: again too few for a notice")
  @Outcome(id = "2, 1, 0", expect = ACCEPTABLE, desc = "a notice for both, and both are drained")
  @Outcome(expect = FORBIDDEN, desc = "a slot or the notice was lost")
  @State
  public static class RemoteReleaseDuringDrainBeforeANotice {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 16);

    /** One of the two slots that a notice needs is released. */
    public RemoteReleaseDuringDrainBeforeANotice() {
      group.markFull();
      group.release(1);
    }

    @Actor
    public void releaser() {
      group.release(2);
    }

    @Actor
    public void owner(III_Result result) {
      result.r1 = group.drainRemoteFrees();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = Parts.notices(bin);
      result.r3 = group.drainRemoteFrees();
    }
  }

  /** The owner accepts a notice during another release. Received, notices, left over. */
  @JCStressTest
  @Outcome(id = "2, 0, 0", expect = ACCEPTABLE, desc = "released before")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "released after: the group is in use again")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, or a second notice was sent")
  @State
  public static class RemoteReleaseDuringReceive {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 2);

    /** A notice has been sent. */
    public RemoteReleaseDuringReceive() {
      group.markFull();
      group.release(1);
      Parts.notices(bin);
    }

    @Actor
    public void releaser() {
      group.release(2);
    }

    @Actor
    public void owner(III_Result result) {
      result.r1 = group.acceptNotice();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = Parts.notices(bin);
      result.r3 = group.drainRemoteFrees();
    }
  }

  /** The owner itself releases into a full group. Notices, listed by the other, free. */
  @JCStressTest
  @Outcome(
      id = "1, 1, 2",
      expect = ACCEPTABLE,
      desc = "the other thread was first, and sends a notice")
  @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "the owner was first: no notice is needed")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, or a notice was sent twice")
  @State
  public static class OwnerReleasesIntoFullGroupDuringRemoteRelease {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(bin, 2);

    /** Marks the group full. */
    public OwnerReleasesIntoFullGroupDuringRemoteRelease() {
      group.markFull();
      bin.fullGroups.add(group);
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void owner() {
      bin.releaseSlow(group, 2);
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r1 = Parts.notices(bin);
      result.r2 = result.r1 > 0 ? group.acceptNotice() : group.drainRemoteFrees();
      result.r3 = Parts.freeSlots(group);
    }
  }

  /**
   * A release races with two owners, one after the other, that both mark the group full: its word
   * differs only in the epoch. Slots that the second owner cannot find, notices in all.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "released between two states of full")
  @Outcome(
      id = "0, 1",
      expect = ACCEPTABLE,
      desc = "the owner whose state was replaced got the notice")
  @Outcome(expect = FORBIDDEN, desc = "the former owner got the notice instead of the present one")
  @State
  public static class RemoteReleaseDuringHandOver {
    private final Parts parts = new Parts();
    private final Bin former = parts.bin(Parts.SMALL);
    private final Bin present = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(former, 3);
    private boolean marked;

    /** One slot is free, because no thread adopts a subpage without a free slot. */
    public RemoteReleaseDuringHandOver() {
      group.markFull();
      group.push(3);
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void owners() {
      parts.orphans().add(group);
      if (parts.orphans().adopt(present) != group) {
        throw new AssertionError("not adopted");
      }
      if (group.countFree() == 1) {
        group.pop();
        marked = group.markFull();
      }
    }

    @Arbiter
    public void atRest(II_Result result) {
      int toFormer = Parts.notices(former);
      int toPresent = Parts.notices(present);
      result.r1 = marked && group.remoteCount() > 0 && toPresent == 0 ? 1 : 0;
      result.r2 = toFormer + toPresent;
    }
  }

  /**
   * As above without slow steps between two owners, so that a release can start under one owner and
   * end under another. Whether the last owner cannot find the slot, notices in all.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "released between two states of full")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the owner of that moment got the notice")
  @Outcome(expect = FORBIDDEN, desc = "a former owner got the notice instead of the present one")
  @State
  public static class RemoteReleaseDuringManyHandOvers {
    private final Parts parts = new Parts();
    private final Bin[] bins = {parts.bin(Parts.SMALL), parts.bin(Parts.SMALL)};
    private final SlotGroup group = parts.subpage(bins[1], 2);

    /** Marks the group full. */
    public RemoteReleaseDuringManyHandOvers() {
      group.markFull();
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void owners() {
      for (int i = 0; i < 16 && group.countFree() == 0; i++) {
        group.becomeOwned(bins[i & 1]);
        group.markFull();
      }
    }

    @Arbiter
    public void atRest(II_Result result) {
      boolean isToldToLast = group.remoteState() != RemoteFreeList.NOTIFIED;
      for (Bin bin : bins) {
        int notices = Parts.notices(bin);
        result.r2 += notices;
        isToldToLast |= bin == group.bin && notices > 0;
      }
      result.r1 = Parts.bit(!isToldToLast);
    }
  }

  /** The bin finds no free slot while slots are released. In use, in full groups without notice. */
  @JCStressTest
  @Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "four, minus two, plus the one just allocated")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, was allocated twice, or is never searched")
  @State
  public static class BinAllocatesDuringRemoteReleases {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = Parts.take(bin).group();

    /** Takes the four slots of a subpage. */
    public BinAllocatesDuringRemoteReleases() {
      for (int i = 1; i < group.slots; i++) {
        bin.take(1);
      }
    }

    @Actor
    public void releaser() {
      group.release(1);
      group.release(2);
    }

    @Actor
    public void owner() {
      bin.take(1);
    }

    @Arbiter
    public void atRest(II_Result result) {
      bin.trim();
      result.r1 = group.slots - Parts.freeSlots(group);
      if (bin.current != group) {
        result.r1 += bin.current.slots - Parts.freeSlots(bin.current);
      }
      result.r2 = group.set == bin.fullGroups ? group.remoteCount() : 0;
    }
  }
}
