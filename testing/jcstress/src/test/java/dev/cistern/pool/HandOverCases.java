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

/**
 * Subpages that change their owner: abandoned by their thread, adopted, freed by the last release
 * or by the maintenance thread.
 */
public final class HandOverCases {
  private HandOverCases() {}

  /** The owner abandons the group during the last release. Runs left, orphans left. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the second thread freed the run")
  @Outcome(expect = FORBIDDEN, desc = "no thread freed the run")
  @State
  public static class LastRemoteReleaseWhenOwnerLeaves {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** Only slot 1 is in use. */
    public LastRemoteReleaseWhenOwnerLeaves() {
      group.push(2);
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void owner() {
      parts.orphans().add(group);
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = parts.runsOf(group);
      result.r2 = parts.orphans().size();
    }
  }

  /** A thread adopts an orphan during its last release. Adopted, runs left, free slots. */
  @JCStressTest
  @Outcome(
      id = "1, 1, 2",
      expect = ACCEPTABLE,
      desc = "adopted in time: the new owner has all slots")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "freed: there was no orphan")
  @Outcome(expect = FORBIDDEN, desc = "adopted and freed, or neither")
  @State
  public static class LastRemoteReleaseDuringAdoption {
    private final Parts parts = new Parts();
    private final Bin adopter = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** An orphan with one slot in use. */
    public LastRemoteReleaseDuringAdoption() {
      group.push(2);
      parts.orphans().add(group);
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void adopter(III_Result result) {
      result.r1 = Parts.bit(parts.orphans().adopt(adopter) == group);
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = parts.runsOf(group);
      result.r3 = group.isFreed() ? 0 : Parts.freeSlots(group);
    }
  }

  /** An orphan is adopted and abandoned again during its last release. Runs, orphans left. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "freed by the thread that saw all slots free")
  @Outcome(expect = FORBIDDEN, desc = "no thread freed it")
  @State
  public static class LastRemoteReleaseDuringAdoptionAndLeave {
    private final Parts parts = new Parts();
    private final Bin adopter = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** An orphan with one slot in use. */
    public LastRemoteReleaseDuringAdoptionAndLeave() {
      group.push(2);
      parts.orphans().add(group);
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void adopter() {
      SlotGroup adopted = parts.orphans().adopt(adopter);
      if (adopted != null) {
        parts.orphans().add(adopted);
      }
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = parts.runsOf(group);
      result.r2 = parts.orphans().size();
    }
  }

  /** Two threads release the last two slots of an orphan. Runs left, orphans left. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the second of the two freed the run")
  @Outcome(expect = FORBIDDEN, desc = "no thread freed the run")
  @State
  public static class TwoLastRemoteReleasesOfOrphan {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** An orphan with both slots in use. */
    public TwoLastRemoteReleasesOfOrphan() {
      parts.orphans().add(group);
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
    public void atRest(II_Result result) {
      result.r1 = parts.runsOf(group);
      result.r2 = parts.orphans().size();
    }
  }

  /** A tick while the last slot of a full subpage is released. Freed, runs, received. */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "released in time: the tick freed it")
  @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "released too late: the owner has all slots")
  @Outcome(expect = FORBIDDEN, desc = "freed while a slot was in use, or a slot was lost")
  @State
  public static class LastRemoteReleaseDuringRevocation {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** A full subpage with one slot released. */
    public LastRemoteReleaseDuringRevocation() {
      group.markFull();
      group.release(2);
    }

    @Actor
    public void releaser() {
      group.release(1);
    }

    @Actor
    public void maintenance() {
      group.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r1 = Parts.bit(group.isFreed());
      result.r2 = parts.runsOf(group);
      result.r3 = group.acceptNotice();
    }
  }

  /** The owner accepts the notice during a tick. Received, freed, runs left. */
  @JCStressTest
  @Outcome(id = "2, 0, 1", expect = ACCEPTABLE, desc = "the owner was first")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "the tick was first")
  @Outcome(expect = FORBIDDEN, desc = "both have it, or neither")
  @State
  public static class OwnerReceivesDuringRevocation {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** A full subpage with every slot released. */
    public OwnerReceivesDuringRevocation() {
      group.markFull();
      group.release(1);
      group.release(2);
    }

    @Actor
    public void owner(III_Result result) {
      result.r1 = group.acceptNotice();
    }

    @Actor
    public void maintenance() {
      group.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = Parts.bit(group.isFreed());
      result.r3 = parts.runsOf(group);
    }
  }

  /** The owner abandons the subpage during a tick. Freed, runs left, orphans left. */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "one of the two freed the run")
  @Outcome(expect = FORBIDDEN, desc = "neither did, or an orphan without memory is listed")
  @State
  public static class OwnerLeavesDuringRevocation {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 2);

    /** A full subpage with every slot released. */
    public OwnerLeavesDuringRevocation() {
      group.markFull();
      group.release(1);
      group.release(2);
    }

    @Actor
    public void owner() {
      parts.orphans().add(group);
    }

    @Actor
    public void maintenance() {
      group.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r1 = Parts.bit(group.isFreed());
      result.r2 = parts.runsOf(group);
      result.r3 = parts.orphans().size();
    }
  }

  /** The bin allocates while a tick examines a full subpage of it. In use, lost. */
  @JCStressTest
  @Outcome(id = "5, 0", expect = ACCEPTABLE, desc = "four of the current subpage, and one more")
  @Outcome(expect = FORBIDDEN, desc = "a slot of a freed subpage was allocated, or one was lost")
  @State
  public static class BinAllocatesDuringRevocation {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup first = Parts.take(bin).group();

    /** Two subpages in use, and all slots of the first one released. */
    public BinAllocatesDuringRevocation() {
      for (int i = 1; i < first.slots + 4; i++) {
        bin.take(1);
      }
      for (int i = 1; i <= first.slots; i++) {
        first.release(i);
      }
    }

    @Actor
    public void owner() {
      bin.take(1);
    }

    @Actor
    public void maintenance() {
      first.revokeReleased();
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = parts.slotsInUse();
      result.r2 = Parts.bit(first.isFreed() && (bin.current == first || first.set != null));
    }
  }

  /** The cache of a dead thread is retired while its slots are released. Runs, orphans left. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "all memory was freed")
  @Outcome(expect = FORBIDDEN, desc = "memory that no thread will free")
  @State
  public static class BinLeavesDuringRemoteReleases {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup full = Parts.take(bin).group();
    private final SlotGroup current;

    /** A full subpage and a current one, with one slot of each in use. */
    public BinLeavesDuringRemoteReleases() {
      for (int i = 1; i <= full.slots; i++) {
        bin.take(1);
      }
      current = bin.current;
      for (int i = 2; i <= full.slots; i++) {
        full.release(i);
      }
    }

    @Actor
    public void releaser() {
      full.release(1);
      current.release(1);
    }

    @Actor
    public void reaper() {
      bin.abandonGroups();
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = parts.arena.groups().size();
      result.r2 = parts.orphans().size();
    }
  }

  /**
   * A bin takes a subpage while the maintenance thread removes its owner; then another thread
   * releases a slot. Free slots of the owner, slots that other threads released.
   */
  @JCStressTest
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "a remote release")
  @Outcome(expect = FORBIDDEN, desc = "a release into the list of a private cache")
  @State
  public static class OwnerRemovedDuringTake {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.SMALL);
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 4);

    /** Two of four slots are in use. */
    public OwnerRemovedDuringTake() {
      group.push(4);
      group.push(3);
    }

    @Actor
    public void taker() {
      group.becomeOwned(bin);
    }

    @Actor
    public void maintenance() {
      group.disownIdle(bin.cache.owner);
    }

    @Arbiter
    public void atRest(II_Result result) {
      group.release(1);
      result.r1 = group.countFree();
      result.r2 = group.remoteCount();
    }
  }
}
