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

/** Slots that enter the quarantine while other slots leave it. */
public final class QuarantineCases {
  private static final int BYTES = 2 * Parts.PAGE;

  private QuarantineCases() {}

  /** The pool is closed while a slot enters. Bytes in quarantine, bytes in use. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "one of the two threads released it")
  @Outcome(expect = FORBIDDEN, desc = "a slot stays in quarantine forever")
  @State
  public static class EntryDuringClose {
    private final BufferPool pool = Parts.pool(0);
    private final Parts.SlotName slot = (Parts.SlotName) pool.allocate(BYTES);

    @Actor
    public void releaser() {
      slot.group().releaseToQuarantine(slot.index());
    }

    @Actor
    public void closer() {
      pool.close();
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = (int) pool.quarantine.bytes();
      result.r2 = (int) pool.snapshot().pinnedBytes();
    }
  }

  /** Two slots enter, and one has room. Bytes in quarantine, then slots in use. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one stays, and is released later")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, or was released twice")
  @State
  public static class TwoEntries {
    private final Parts parts = new Parts();
    private final SlotGroup group = parts.subpage(parts.bin(Parts.SMALL), 4);
    private final Quarantine quarantine = new Quarantine(BYTES);

    @Actor
    public void one() {
      quarantine.add(group, 1);
    }

    @Actor
    public void other() {
      quarantine.add(group, 2);
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = (int) (quarantine.bytes() / BYTES);
      quarantine.release(0);
      result.r2 = 2 - Parts.freeSlots(group) + (int) quarantine.bytes();
    }
  }
}
