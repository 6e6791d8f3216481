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
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Runs of one slot that another thread releases, that their owner receives, that the releasing
 * thread, the maintenance thread or the owner frees, and that another owner reuses. A run has four
 * pages, so four pages are in use for each run that is not lost.
 */
public final class WholeRunCases {
  private WholeRunCases() {}

  /** A bin whose current run is in use. */
  private static class OneRun {
    final Parts parts;
    final Bin bin;
    final Parts.SlotName run;

    OneRun() {
      this(Parts.POOL);
    }

    OneRun(BufferPool pool) {
      parts = new Parts(pool);
      bin = parts.bin(Parts.NORMAL);
      run = Parts.take(bin);
    }

    /** Reports groups, slots and pages after a trim, and the free slots that the bin counts. */
    final void reportTrimmed(IIII_Result result) {
      Parts.trimAll(bin);
      parts.report(result, (int) bin.counters.cachedSlots());
    }
  }

  /** As above, but a released run is not kept: its pages are free at once. */
  private static class OneUnkeptRun extends OneRun {
    OneUnkeptRun() {
      super(Parts.WITHOUT_RUNS);
    }
  }

  /** A bin with two runs in use; the first is full, the second is current. */
  private static class TwoRuns extends OneRun {
    final Parts.SlotName second = Parts.take(bin);

    TwoRuns() {}

    TwoRuns(BufferPool pool) {
      super(pool);
    }
  }

  /** As above, but a released run is not kept: its pages are free at once. */
  private static class TwoUnkeptRuns extends TwoRuns {
    TwoUnkeptRuns() {
      super(Parts.WITHOUT_RUNS);
    }
  }

  /** A bin whose current run is in use and will not be kept, and the bin of another thread. */
  private static class RunForAnother extends OneUnkeptRun {
    final Bin other = parts.otherBin(Parts.NORMAL);

    /** Returns 1 if the other bin has the group of the run, 0 if another, 2 if it has none. */
    final int reuse() {
      boolean hasGroup = !other.current.isFreed() && other.current.bin == other;
      return hasGroup ? Parts.bit(other.current == run.group()) : 2;
    }
  }

  // ---- the owner abandons its groups

  /** The owner abandons a run during its release. Groups, slots in use, pages. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "freed by one of the two")
  @Outcome(expect = FORBIDDEN, desc = "a run that no thread will free")
  @State
  public static class RemoteReleaseWhenOwnerLeaves extends OneRun {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owner() {
      bin.abandonGroups();
    }

    @Arbiter
    public void atRest(III_Result result) {
      parts.report(result);
    }
  }

  /** As above, but the releasing thread frees the run. Groups, slots in use, pages. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "freed once")
  @Outcome(expect = FORBIDDEN, desc = "a run that no thread will free")
  @State
  public static class UnkeptRemoteReleaseWhenOwnerLeaves extends OneUnkeptRun {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owner() {
      bin.abandonGroups();
    }

    @Arbiter
    public void atRest(III_Result result) {
      parts.report(result);
    }
  }

  /** As above with a full run, whose release sends a notice. Groups, slots in use, pages. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "each was freed once")
  @Outcome(expect = FORBIDDEN, desc = "a run that no thread will free")
  @State
  public static class NoticesWhenOwnerLeaves extends TwoRuns {
    @Actor
    public void releaser() {
      run.release();
      second.release();
    }

    @Actor
    public void owner() {
      bin.abandonGroups();
    }

    @Arbiter
    public void atRest(III_Result result) {
      parts.report(result);
    }
  }

  /** The owner abandons its groups during a tick. Groups, slots in use, pages. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "each was freed once")
  @Outcome(expect = FORBIDDEN, desc = "a run that no thread will free")
  @State
  public static class RevocationWhenOwnerLeaves extends TwoRuns {
    /** A full run and a current one, both released. */
    public RevocationWhenOwnerLeaves() {
      run.release();
      second.release();
    }

    @Actor
    public void maintenance() {
      bin.revokeReleased();
    }

    @Actor
    public void owner() {
      bin.abandonGroups();
    }

    @Arbiter
    public void atRest(III_Result result) {
      parts.report(result);
    }
  }

  /** A run without an owner is released during a tick. As above. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "freed by one of the two")
  @Outcome(expect = FORBIDDEN, desc = "a run that no thread will free, or that was freed twice")
  @State
  public static class RemoteReleaseOfOrphanDuringRevocation extends OneRun {
    /** The owner has abandoned the run. */
    public RemoteReleaseOfOrphanDuringRevocation() {
      bin.abandonGroups();
    }

    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void maintenance() {
      run.group().revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      parts.report(result);
    }
  }

  // ---- the owner allocates, and accepts notices

  /**
   * The owner finds no free slot while its run is released. Groups, slots in use, pages; then free
   * slots that the bin counts.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 4, 0", expect = ACCEPTABLE, desc = "the same run, or another")
  @Outcome(expect = FORBIDDEN, desc = "a run was lost, is in use twice, or was miscounted")
  @State
  public static class RemoteReleaseWhenOwnerAllocates extends OneRun {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owner() {
      Parts.take(bin);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      reportTrimmed(result);
    }
  }

  /** As above, but the releasing thread frees the run. */
  @JCStressTest
  @Outcome(id = "1, 1, 4, 0", expect = ACCEPTABLE, desc = "the same run, or another")
  @Outcome(expect = FORBIDDEN, desc = "a run was lost, is in use twice, or was miscounted")
  @State
  public static class UnkeptRemoteReleaseWhenOwnerAllocates extends OneUnkeptRun {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owner() {
      Parts.take(bin);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      reportTrimmed(result);
    }
  }

  /** The owner accepts notices during sends. Groups, slots in use, pages; free slots counted. */
  @JCStressTest
  @Outcome(id = "2, 2, 8, 0", expect = ACCEPTABLE, desc = "a released run, or another")
  @Outcome(expect = FORBIDDEN, desc = "a run was lost, is in use twice, or was miscounted")
  @State
  public static class NoticeWhenOwnerAllocates extends TwoRuns {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owner() {
      Parts.take(bin);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      reportTrimmed(result);
    }
  }

  /** As above, but the releasing thread frees the run. */
  @JCStressTest
  @Outcome(id = "2, 2, 8, 0", expect = ACCEPTABLE, desc = "a released run, or another")
  @Outcome(expect = FORBIDDEN, desc = "a run was lost, is in use twice, or was miscounted")
  @State
  public static class UnkeptNoticeWhenOwnerAllocates extends TwoUnkeptRuns {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owner() {
      Parts.take(bin);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      reportTrimmed(result);
    }
  }

  /**
   * Two threads send notices, and one may wait: the budget is four runs. Runs freed, groups of the
   * bin after it has accepted the notices, free slots counted.
   */
  @JCStressTest
  @Outcome(id = "1, 2, 1", expect = ACCEPTABLE, desc = "the second to send freed its run")
  @Outcome(expect = FORBIDDEN, desc = "both runs wait, or both were freed, or one was lost")
  @State
  public static class TwoNoticesWhereOneMayWait extends TwoRuns {
    private static final BufferPool SMALL_BUDGET = Parts.pool(16 * Parts.PAGE);

    /** Two full runs and a current one. */
    public TwoNoticesWhereOneMayWait() {
      super(SMALL_BUDGET);
      Parts.take(bin);
    }

    @Actor
    public void one() {
      run.release();
    }

    @Actor
    public void other() {
      second.release();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r1 = 3 - parts.arena.groups().size();
      bin.trim();
      result.r2 = bin.fullGroups.size() + bin.available.size() + 1;
      result.r3 = (int) bin.counters.cachedSlots();
    }
  }

  // ---- the maintenance thread revokes

  /** The current run is released during a tick. Freed, runs, drained. */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "released in time: it was freed")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "released too late: the owner gets it")
  @Outcome(expect = FORBIDDEN, desc = "freed while in use, or the slot was lost")
  @State
  public static class RemoteReleaseDuringRevocation extends OneRun {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void maintenance() {
      bin.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r1 = Parts.bit(run.group().isFreed());
      result.r2 = parts.runsOf(run.group());
      result.r3 = run.group().drainRemoteFrees();
    }
  }

  /** The releasing thread frees a run during a tick. Groups, slots in use, pages. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "freed once")
  @Outcome(expect = FORBIDDEN, desc = "no thread freed it, or it was freed twice")
  @State
  public static class UnkeptRemoteReleaseDuringRevocation extends OneUnkeptRun {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void maintenance() {
      bin.revokeReleased();
    }

    @Arbiter
    public void atRest(III_Result result) {
      parts.report(result);
    }
  }

  /**
   * The owner allocates while the maintenance thread frees its current run, which is released.
   * Groups, slots in use, pages; free slots counted.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 4, 0", expect = ACCEPTABLE, desc = "the same run, or another")
  @Outcome(expect = FORBIDDEN, desc = "a freed run is in use, or a run was lost")
  @State
  public static class OwnerDrainsDuringRevocation extends OneRun {
    /** A current run that is released. */
    public OwnerDrainsDuringRevocation() {
      run.release();
    }

    @Actor
    public void owner() {
      Parts.take(bin);
    }

    @Actor
    public void maintenance() {
      bin.revokeReleased();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      reportTrimmed(result);
    }
  }

  /** The owner accepts notices while the maintenance thread walks over them. As above. */
  @JCStressTest
  @Outcome(id = "3, 3, 12, 0", expect = ACCEPTABLE, desc = "released runs, or others")
  @Outcome(expect = FORBIDDEN, desc = "a freed run is in use, or a run was lost")
  @State
  public static class OwnerReceivesDuringRevocation extends TwoRuns {
    /** Two full runs, both released, and a current one in use. */
    public OwnerReceivesDuringRevocation() {
      Parts.take(bin);
      run.release();
      second.release();
    }

    @Actor
    public void owner() {
      Parts.take(bin);
      Parts.take(bin);
    }

    @Actor
    public void maintenance() {
      bin.revokeReleased();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      reportTrimmed(result);
    }
  }

  // ---- a run that its owner frees is reused

  /**
   * The owner frees a run, which the maintenance thread finds freed, and another owner takes a run.
   * Groups, slots in use, pages; the group of the other owner.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 4, 1", expect = ACCEPTABLE, desc = "the group that the owner freed")
  @Outcome(id = "1, 1, 4, 0", expect = ACCEPTABLE, desc = "another: the former was not kept")
  @Outcome(expect = FORBIDDEN, desc = "a run was freed twice, or under its new owner")
  @State
  public static class ReuseDuringRevocation extends RunForAnother {
    @Actor
    public void owners() {
      Parts.releaseAsOwner(run);
      Parts.take(other);
    }

    @Actor
    public void maintenance() {
      run.group().revokeReleased();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      parts.report(result, reuse());
    }
  }

  /**
   * A run moves from owner to owner while the maintenance thread checks it repeatedly, as in a walk
   * over old notices. Groups, slots in use, pages; takes that got a freed run.
   */
  @JCStressTest
  @Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "each run was freed once")
  @Outcome(expect = FORBIDDEN, desc = "a run was freed twice, or in use")
  @State
  public static class ManyReusesDuringRevocations extends RunForAnother {
    private static final int TIMES = 6;

    @Actor
    public void owners(IIII_Result result) {
      Parts.releaseAsOwner(run);
      for (int i = 0; i < TIMES; i++) {
        Bin taker = i % 2 == 0 ? other : bin;
        Parts.SlotName taken = Parts.take(taker);
        result.r4 += Parts.bit(taken.group().isFreed() || taken.group().bin != taker);
        if (i % 3 == 0) {
          taken.release(); // by another thread
        } else {
          Parts.releaseAsOwner(taken);
        }
      }
    }

    @Actor
    public void maintenance() {
      for (int i = 0; i < TIMES; i++) {
        run.group().revokeReleased();
      }
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      parts.report(result, result.r4);
    }
  }

  /** One owner frees a run while another takes one. As above. */
  @JCStressTest
  @Outcome(id = "1, 1, 4, 1", expect = ACCEPTABLE, desc = "the group that the owner freed")
  @Outcome(id = "1, 1, 4, 0", expect = ACCEPTABLE, desc = "another: taken before that")
  @Outcome(expect = FORBIDDEN, desc = "a run was lost, or was freed under its new owner")
  @State
  public static class ReuseWhileGivenBack extends RunForAnother {
    @Actor
    public void former() {
      Parts.releaseAsOwner(run);
    }

    @Actor
    public void next() {
      Parts.take(other);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      parts.report(result, reuse());
    }
  }

  /** Two owners take a run, and one run is kept. Groups, slots in use, pages; owners that share. */
  @JCStressTest
  @Outcome(id = "2, 2, 8, 0", expect = ACCEPTABLE, desc = "one has the kept run")
  @Outcome(expect = FORBIDDEN, desc = "a run has two owners")
  @State
  public static class TwoReuses extends RunForAnother {
    /** The run is freed and kept. */
    public TwoReuses() {
      Parts.releaseAsOwner(run);
    }

    @Actor
    public void one() {
      Parts.take(bin);
    }

    @Actor
    public void theOther() {
      Parts.take(other);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      parts.report(result, Parts.bit(bin.current.bin != bin || other.current.bin != other));
    }
  }

  /**
   * A thread releases a run, and frees it if it can, while the owner drains and frees the run, and
   * another owner takes a run. As above.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 4, 1", expect = ACCEPTABLE, desc = "the group that was released")
  @Outcome(id = "1, 1, 4, 0", expect = ACCEPTABLE, desc = "another: the owner was too late")
  @Outcome(expect = FORBIDDEN, desc = "the release freed the new owner's run, or one was lost")
  @State
  public static class ReuseDuringRemoteRelease extends RunForAnother {
    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owners() {
      Parts.releaseAsOwner(Parts.take(bin));
      Parts.take(other);
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      Parts.trimAll(bin);
      parts.report(result, reuse());
    }
  }

  /**
   * A thread releases a full run and sends its notice, perhaps late: the owner may have found and
   * freed the run before. Another owner takes a run, fills it and gets it back, and only then the
   * former owner reads its notices. Groups, slots in use, pages; free slots that the former owner
   * counts.
   */
  @JCStressTest
  @Outcome(id = "2, 2, 8, 0", expect = ACCEPTABLE, desc = "no wrong owner accepted a notice")
  @Outcome(expect = FORBIDDEN, desc = "the former owner received the run of the next")
  @State
  public static class LateNoticeOfReusedRun extends TwoRuns {
    private final Bin other = parts.otherBin(Parts.NORMAL);

    @Actor
    public void releaser() {
      run.release();
    }

    @Actor
    public void owners() {
      Parts.releaseAsOwner(Parts.take(bin));
      bin.trim();
      bin.trim(); // frees the run
      Parts.SlotName taken = Parts.take(other);
      Parts.take(other); // the first becomes full
      taken.release();
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      Parts.trimAll(bin);
      Parts.trimAll(other);
      parts.report(result, (int) bin.counters.cachedSlots());
    }
  }
}
