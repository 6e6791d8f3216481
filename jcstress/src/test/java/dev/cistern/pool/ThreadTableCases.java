/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
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
}
