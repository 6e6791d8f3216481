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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Runs on the remote list of a rack: taken by the owner, by the janitor, or given back by who
 * releases them. Asserts in the arena fail a case that gives a run back twice.
 */
public final class RackCases {
  private RackCases() {}

  /** 0 where no place is without a run, 1 where some are, 2 where all are. */
  private static int vacancies(SlotGroup rack) {
    return Parts.bit(rack.hasVacancy()) + Parts.bit(rack.isVacant());
  }

  /** The owner leaves while its runs come back. Runs left. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "each was given back, by the one or the other")
  @Outcome(expect = FORBIDDEN, desc = "a run that nobody will give back")
  @State
  public static class RemoteReleasesWhenOwnerLeavesRack {
    private final Parts parts = new Parts();
    private final SlotGroup rack = parts.rack(parts.bin(Parts.NORMAL), 2);

    @Actor
    public void releaser() {
      rack.release(0);
      rack.release(1);
    }

    @Actor
    public void owner() {
      rack.leaveRack();
    }

    @Arbiter
    public void atRest(I_Result result) {
      result.r1 = parts.runsOf(rack);
    }
  }

  /** As above, where no run is kept: it goes back before the release is listed. Runs left. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "each was given back once")
  @Outcome(expect = FORBIDDEN, desc = "a run that nobody will give back")
  @State
  public static class UnkeptRemoteReleasesWhenOwnerLeavesRack {
    private final Parts parts = new Parts(Parts.WITHOUT_RUNS);
    private final SlotGroup rack = parts.rack(parts.bin(Parts.NORMAL), 2);

    @Actor
    public void releaser() {
      rack.release(0);
      rack.release(1);
    }

    @Actor
    public void owner() {
      rack.leaveRack();
    }

    @Arbiter
    public void atRest(I_Result result) {
      result.r1 = parts.runsOf(rack);
    }
  }

  /** The owner collects places whose runs have gone back already. On its stack, runs, vacancies. */
  @JCStressTest
  @Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "only places came, both of them")
  @Outcome(
      expect = FORBIDDEN,
      desc = "a slot without memory can be handed out, or a place got lost")
  @State
  public static class UnkeptRemoteReleasesDuringCollect {
    private final Parts parts = new Parts(Parts.WITHOUT_RUNS);
    private final SlotGroup rack = parts.rack(parts.bin(Parts.NORMAL), 2);

    @Actor
    public void releaser() {
      rack.release(0);
      rack.release(1);
    }

    @Actor
    public void owner() {
      rack.collect();
    }

    @Arbiter
    public void atRest(III_Result result) {
      rack.collect();
      result.r1 = rack.countFree();
      result.r2 = parts.runsOf(rack);
      result.r3 = vacancies(rack);
    }
  }

  /** The janitor takes the list while another run comes back. Runs, on the stack, vacancies. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "released too late: the owner gets it")
  @Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "released in time: both went back")
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "the list moved: left to the next tick")
  @Outcome(expect = FORBIDDEN, desc = "a run or a place got lost")
  @State
  public static class RemoteReleaseDuringRunRevocation {
    private final Parts parts = new Parts();
    private final SlotGroup rack = parts.rack(parts.bin(Parts.NORMAL), 2);

    /** One run is listed. */
    public RemoteReleaseDuringRunRevocation() {
      rack.release(0);
    }

    @Actor
    public void releaser() {
      rack.release(1);
    }

    @Actor
    public void janitor() {
      rack.revokeReleased();
    }

    @Arbiter
    public void owner(III_Result result) {
      rack.collect();
      result.r1 = parts.runsOf(rack);
      result.r2 = Parts.freeSlots(rack);
      result.r3 = vacancies(rack);
    }
  }

  /** The owner collects while the janitor takes the list. Runs, on the stack, vacancies. */
  @JCStressTest
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "the owner was first")
  @Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "the janitor was first")
  @Outcome(expect = FORBIDDEN, desc = "a run was shared out, or a place got lost")
  @State
  public static class OwnerCollectsDuringRunRevocation {
    private final Parts parts = new Parts();
    private final SlotGroup rack = parts.rack(parts.bin(Parts.NORMAL), 2);

    /** Both runs are listed. */
    public OwnerCollectsDuringRunRevocation() {
      rack.release(0);
      rack.release(1);
    }

    @Actor
    public void owner() {
      rack.collect();
    }

    @Actor
    public void janitor() {
      rack.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      rack.collect();
      result.r1 = parts.runsOf(rack);
      result.r2 = Parts.freeSlots(rack);
      result.r3 = vacancies(rack);
    }
  }

  /** The owner leaves while the janitor takes the list. Runs left, slots left. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "each run went back, by the one or the other")
  @Outcome(expect = FORBIDDEN, desc = "a run that nobody will give back")
  @State
  public static class OwnerLeavesDuringRunRevocation {
    private final Parts parts = new Parts();
    private final SlotGroup rack = parts.rack(parts.bin(Parts.NORMAL), 2);

    /** Both runs are listed. */
    public OwnerLeavesDuringRunRevocation() {
      rack.release(0);
      rack.release(1);
    }

    @Actor
    public void owner() {
      rack.leaveRack();
    }

    @Actor
    public void janitor() {
      rack.revokeReleased();
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = parts.runsOf(rack);
      result.r2 = Parts.freeSlots(rack);
    }
  }

  /**
   * The bin answers the notice of a full rack, and may park it again, while the janitor has the run
   * that the notice was for. Runs left, known to be of use, vacancies.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the bin comes to know of the vacant place")
  @Outcome(expect = FORBIDDEN, desc = "the rack stays parked with a place that nobody looks for")
  @State
  public static class BinReceivesDuringRunRevocation {
    private final Parts parts = new Parts();
    private final Bin bin = parts.bin(Parts.NORMAL);
    private final SlotGroup rack = parts.rack(bin, 2);

    /** A parked rack with one run listed, the other in use. */
    public BinReceivesDuringRunRevocation() {
      rack.markFull();
      bin.parked.add(rack);
      rack.release(0);
    }

    @Actor
    public void owner() {
      bin.trim();
    }

    @Actor
    public void janitor() {
      rack.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      bin.trim();
      result.r1 = parts.runsOf(rack);
      result.r2 = Parts.bit(rack.list == bin.available);
      result.r3 = vacancies(rack);
    }
  }
}
