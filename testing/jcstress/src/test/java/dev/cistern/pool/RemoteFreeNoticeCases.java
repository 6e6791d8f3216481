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

/** Senders of notices against each other, and against the bin that takes the notices. */
public final class RemoteFreeNoticeCases {
  private static final Parts PARTS = new Parts();
  private static final Bin BIN = PARTS.bin(Parts.SMALL);

  private RemoteFreeNoticeCases() {}

  private static RemoteFreeNotice notice() {
    return new RemoteFreeNotice(BIN, BIN.current);
  }

  private static int takeAll(RemoteFreeNotices notices) {
    int count = 0;
    for (RemoteFreeNotice notice = notices.takeAll(); notice != null; notice = notice.next) {
      count++;
    }
    return count;
  }

  /** Two threads send. The number of notices that each sees, taken. */
  @JCStressTest
  @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "the list has both")
  @Outcome(id = "2, 1, 2", expect = ACCEPTABLE, desc = "the list has both")
  @Outcome(expect = FORBIDDEN, desc = "a notice was lost, or was miscounted")
  @State
  public static class TwoSenders {
    private final RemoteFreeNotices notices = new RemoteFreeNotices();
    private final RemoteFreeNotice first = notice();
    private final RemoteFreeNotice second = notice();

    @Actor
    public void one(III_Result result) {
      result.r1 = notices.push(first);
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = notices.push(second);
    }

    @Arbiter
    public void owner(III_Result result) {
      result.r3 = takeAll(notices);
    }
  }

  /** Two notices are sent while the owner, with one sent before, takes all. Taken, taken later. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "taken before both")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "taken between the two")
  @Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "taken after both")
  @Outcome(expect = FORBIDDEN, desc = "a notice was lost, or was taken twice")
  @State
  public static class TwoNoticesDuringTakeAll {
    private final RemoteFreeNotices notices = new RemoteFreeNotices();
    private final RemoteFreeNotice first = notice();
    private final RemoteFreeNotice second = notice();
    private final RemoteFreeNotice third = notice();

    @Actor
    public void sender() {
      notices.push(first);
      notices.push(second);
    }

    @Actor
    public void owner(II_Result result) {
      notices.push(third);
      result.r1 = takeAll(notices);
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r2 = takeAll(notices);
    }
  }

  /** Two notices are sent while the owner takes all. Taken, the two in the wrong order. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "taken before both")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "taken between the two")
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "taken after both, the oldest first")
  @Outcome(expect = FORBIDDEN, desc = "a newer notice came before an older one")
  @State
  public static class OldestNoticeFirst {
    private final RemoteFreeNotices notices = new RemoteFreeNotices();
    private final RemoteFreeNotice first = notice();
    private final RemoteFreeNotice second = notice();

    @Actor
    public void sender() {
      notices.push(first);
      notices.push(second);
    }

    @Actor
    public void owner(II_Result result) {
      RemoteFreeNotice oldest = notices.takeAll();
      result.r2 = Parts.bit(oldest != null && oldest != first);
      for (RemoteFreeNotice notice = oldest; notice != null; notice = notice.next) {
        result.r1++;
      }
    }
  }

  /**
   * The maintenance thread walks over the notices while the owner takes them, which reverses their
   * order, and one is sent again. Walks without an end, notices lost.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the walk ends, early or late")
  @Outcome(expect = FORBIDDEN, desc = "the walk did not end, or a notice was lost")
  @State
  public static class WalkDuringTakeAll {
    private static final int MANY = 1000;
    private final RemoteFreeNotices notices = new RemoteFreeNotices();
    private final RemoteFreeNotice first = notice();

    /** The list has three notices. */
    public WalkDuringTakeAll() {
      notices.push(first);
      notices.push(notice());
      notices.push(notice());
    }

    @Actor
    public void owner(II_Result result) {
      result.r2 = 3 - takeAll(notices);
      notices.push(first);
    }

    @Actor
    public void maintenance(II_Result result) {
      int steps = 0;
      for (RemoteFreeNotice notice = notices.newest();
          notice != null && steps < MANY;
          notice = notice.next) {
        steps++;
      }
      result.r1 = Parts.bit(steps == MANY);
    }
  }
}
