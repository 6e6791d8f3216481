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

/** Threads that meet at the place of one extent. */
public final class ExtentStripeCases {
  private static final int BYTES = 2 * Parts.CHUNK;
  private static final Run.Extent ONE = Parts.extent(BYTES);
  private static final Run.Extent OTHER = Parts.extent(BYTES);

  private ExtentStripeCases() {}

  private static ExtentStripe stripe() {
    ExtentStripe stripe = new ExtentStripe();
    stripe.grantedBytes = BYTES;
    return stripe;
  }

  private static int took(ExtentStripe stripe) {
    return Parts.bit(stripe.take(BYTES, BYTES) != null);
  }

  /** Two threads take the extent that lies there. Taken by each, counted. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the first has it")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the second has it")
  @Outcome(expect = FORBIDDEN, desc = "an extent was handed out twice, or miscounted")
  @State
  public static class TwoTakers {
    private final ExtentStripe stripe = stripe();

    /** Puts an extent there. */
    public TwoTakers() {
      stripe.extent = ONE;
    }

    @Actor
    public void one(III_Result result) {
      result.r1 = took(stripe);
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = took(stripe);
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = (int) stripe.counters.allocations;
    }
  }

  /** Two threads release, each an extent. Kept of each, counted, one that was kept lies there. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 1", expect = ACCEPTABLE, desc = "the first is kept")
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "the second is kept")
  @Outcome(expect = FORBIDDEN, desc = "an extent got lost, or was miscounted")
  @State
  public static class TwoReleases {
    private final ExtentStripe stripe = stripe();

    @Actor
    public void one(IIII_Result result) {
      result.r1 = Parts.bit(stripe.put(ONE));
    }

    @Actor
    public void other(IIII_Result result) {
      result.r2 = Parts.bit(stripe.put(OTHER));
    }

    @Arbiter
    public void atRest(IIII_Result result) {
      result.r3 = (int) stripe.counters.deallocations;
      result.r4 = Parts.bit(stripe.extent == (result.r1 == 1 ? ONE : OTHER));
    }
  }

  /** One thread releases while another takes. Kept, taken, left. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "released first")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "nothing there yet, or held")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "held by who found nothing")
  @Outcome(expect = FORBIDDEN, desc = "an extent got lost, or is in two places")
  @State
  public static class ReleaseAgainstTake {
    private final ExtentStripe stripe = stripe();

    @Actor
    public void releaser(III_Result result) {
      result.r1 = Parts.bit(stripe.put(ONE));
    }

    @Actor
    public void taker(III_Result result) {
      result.r2 = took(stripe);
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = Parts.bit(stripe.extent != null);
    }
  }

  /** The janitor empties the stripe while a thread takes. Taken, emptied. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "taken first")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "emptied first, or held meanwhile")
  @Outcome(expect = FORBIDDEN, desc = "an extent got lost, or is in two places")
  @State
  public static class JanitorAgainstTake {
    private final ExtentStripe stripe = stripe();

    /** Puts an extent there. */
    public JanitorAgainstTake() {
      stripe.extent = ONE;
    }

    @Actor
    public void taker(III_Result result) {
      result.r1 = took(stripe);
    }

    @Actor
    public void janitor(III_Result result) {
      stripe.hold();
      result.r2 = Parts.bit(stripe.extent != null);
      stripe.extent = null;
      stripe.letGo();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = (int) stripe.counters.allocations;
    }
  }
}
