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

/** The table of thread caches, read without a lock while it is replaced. */
public final class ThreadTableCases {
  private ThreadTableCases() {}

  /** One thread looks for its cache while another's comes and goes. Found, gone. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each table has every living cache")
  @Outcome(expect = FORBIDDEN, desc = "a thread missed its cache, or found one given up")
  @State
  public static class LookUpWhileTableIsReplaced {
    private static final ThreadCaches CACHES = new ThreadCaches(Parts.POOL, Parts.POOL.arenas());

    @Actor
    public void stays(II_Result result) {
      ThreadCache mine = CACHES.current();
      if (mine == null) {
        mine = CACHES.create();
      }
      result.r1 = Parts.bit(CACHES.current() == mine);
    }

    @Actor
    public void goes(II_Result result) {
      if (CACHES.current() == null) {
        CACHES.create();
      }
      CACHES.removeCurrent();
      result.r2 = Parts.bit(CACHES.current() == null);
    }
  }

  /**
   * The janitor suspends the cache of a thread that is awake: it may stop there, and the thread
   * takes its cache back. All states share a pool. One slot handed out twice, invariants broken.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing but a detour for the thread")
  @Outcome(expect = FORBIDDEN, desc = "the cache was used by two, or a slot got lost")
  @State
  public static class SuspensionWhileThreadAllocates {
    private static final BufferPool POOL = Parts.pool(1 << 20);

    @Actor
    public void owner(II_Result result) {
      Parts.SlotName first = (Parts.SlotName) POOL.allocate(2 * Parts.PAGE);
      Parts.SlotName second = (Parts.SlotName) POOL.allocate(2 * Parts.PAGE);
      result.r1 = Parts.bit(first.equals(second));
      first.release();
      second.release();
    }

    @Actor
    public void janitor() {
      POOL.threadCaches().suspend(POOL.ownedCaches(), POOL.anyArena().groups());
    }

    @Arbiter
    public void atRest(II_Result result) {
      try {
        PoolInvariants.check(POOL);
      } catch (AssertionError broken) {
        result.r2 = 1;
      }
    }
  }
}
