/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader of a bin's allocations and bytes against the owner that sets their base values. */
public final class BinCountersCases {
  private static final String SOUND = "each value was exact once, and none decreased";
  private static final String UNSOUND = "see the bits in wrong(); or the last values are wrong";

  private BinCountersCases() {}

  /** Counters that count in steps: the values between the steps are always wrong. */
  private static final class Stepping {
    private final BinCounters counters;
    private final long firstAllocations;
    private final long firstBytes;
    private final int allocationsEach;
    private final int bytesEach;

    Stepping(long firstAllocations, long firstBytes, int allocationsEach, int bytesEach) {
      this.firstAllocations = firstAllocations;
      this.firstBytes = firstBytes;
      this.allocationsEach = allocationsEach;
      this.bytesEach = bytesEach;
      counters = new BinCounters(0, bytesEach);
      counters.tally = BinCounters.ONE_ALLOCATION * firstAllocations + firstBytes;
      counters.extendFastPath(0, 0);
    }

    void count(int steps) {
      for (int i = 0; i < steps; i++) {
        counters.tally += (BinCounters.ONE_ALLOCATION + bytesEach) * allocationsEach;
        counters.extendFastPath(allocationsEach, Long.MAX_VALUE);
      }
    }

    /** Reads twice, bytes first, as a snapshot does; returns one bit for each impossible result. */
    int wrong(int steps) {
      long bytesBefore = stepsOfBytes();
      long before = stepsOfAllocations();
      long bytes = stepsOfBytes();
      long now = stepsOfAllocations();
      return Parts.bit(bytesBefore < 0 || bytes < 0)
          | Parts.bit(before < 0 || now < 0) << 1
          | Parts.bit(bytes < bytesBefore) << 2
          | Parts.bit(now < before) << 3
          | Parts.bit(bytesBefore > before || bytes > now) << 4
          | Parts.bit(bytes > steps || now > steps) << 5;
    }

    int stepsOfBytes() {
      long counted = counters.readRequestedBytes() - firstBytes;
      long each = (long) bytesEach * allocationsEach;
      return counted % each == 0 ? (int) (counted / each) : -1;
    }

    int stepsOfAllocations() {
      long counted = counters.readAllocations() - firstAllocations;
      return counted % allocationsEach == 0 ? (int) (counted / allocationsEach) : -1;
    }
  }

  /**
   * Single allocations, each with new base values, at which both parts of the word wrap. Wrong,
   * last.
   */
  @JCStressTest
  @Outcome(id = "0, 4", expect = Expect.ACCEPTABLE, desc = SOUND)
  @Outcome(expect = Expect.FORBIDDEN, desc = UNSOUND)
  @State
  public static class RebasedAtEachAllocation {
    private static final int STEPS = 4;
    private final Stepping counters = new Stepping((1L << 24) - 2, (1L << 40) - 2000, 1, 1000);

    @Actor
    public void owner() {
      counters.count(STEPS);
    }

    @Actor
    public void reader(II_Result result) {
      result.r1 = counters.wrong(STEPS);
    }

    @Arbiter
    public void atRest(II_Result result) {
      int bytes = counters.stepsOfBytes();
      result.r2 = bytes == counters.stepsOfAllocations() ? bytes : -1;
    }
  }

  /**
   * The most allocations between two reads, and several times the size of the word: a delayed
   * reader has to detect that. Wrong, last.
   */
  @JCStressTest
  @Outcome(id = "0, 40", expect = Expect.ACCEPTABLE, desc = SOUND)
  @Outcome(expect = Expect.FORBIDDEN, desc = UNSOUND)
  @State
  public static class MoreThanFitsWhileRead {
    private static final int STEPS = 40;
    private final Stepping counters = new Stepping(0, 0, 1 << 20, 1 << 16);

    @Actor
    public void owner() {
      counters.count(STEPS);
    }

    @Actor
    public void reader(II_Result result) {
      result.r1 = counters.wrong(STEPS);
    }

    @Arbiter
    public void atRest(II_Result result) {
      int bytes = counters.stepsOfBytes();
      result.r2 = bytes == counters.stepsOfAllocations() ? bytes : -1;
    }
  }
}
