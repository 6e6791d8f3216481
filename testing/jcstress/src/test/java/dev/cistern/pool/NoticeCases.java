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
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Senders of notices against each other and against the bin that takes them. */
public final class NoticeCases {
  private static final Parts PARTS = new Parts();
  private static final Bin BIN = PARTS.bin(Parts.SMALL);

  private NoticeCases() {}

  private static Notice notice() {
    return new Notice(BIN, BIN.current);
  }

  private static int takeAll(Notices notices) {
    int count = 0;
    for (Notice notice = notices.takeAll(); notice != null; notice = notice.next) {
      count++;
    }
    return count;
  }

  /** Two threads send. Taken. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both are there")
  @Outcome(expect = FORBIDDEN, desc = "a notice got lost")
  @State
  public static class TwoSenders {
    private final Notices notices = new Notices();
    private final Notice first = notice();
    private final Notice second = notice();

    @Actor
    public void one() {
      notices.push(first);
    }

    @Actor
    public void other() {
      notices.push(second);
    }

    @Arbiter
    public void owner(I_Result result) {
      result.r1 = takeAll(notices);
    }
  }

  /** Two notices are sent while the owner, with one in hand, takes all. Taken, taken later. */
  @JCStressTest
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "taken before both")
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "taken between the two")
  @Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "taken after both")
  @Outcome(expect = FORBIDDEN, desc = "a notice got lost, or came twice")
  @State
  public static class TwoNoticesDuringTakeAll {
    private final Notices notices = new Notices();
    private final Notice first = notice();
    private final Notice second = notice();
    private final Notice third = notice();

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
}
