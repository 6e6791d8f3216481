/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

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
 * Objects of a recycler that are freed by one thread and taken by another. A call's result is 1 if
 * it freed or found an object, 0 if it found none, -1 if it was refused.
 */
public final class RecyclerCases {
  /** Owner that never runs: either actor may make the states, and must not count as the owner. */
  private static final Thread OWNER = new Thread();

  private RecyclerCases() {}

  /** A stack with one object, which is in use. */
  private static final class Parts {
    final ObjectStack<Object> stack = new ObjectStack<>(OWNER, 4, 1, 4);
    final ObjectHandle<Object> handle = stack.newHandle();

    Parts() {
      handle.object = "object";
    }

    int freeAsOwner() {
      try {
        handle.freeByOwner(stack);
        return 1;
      } catch (IllegalStateException refused) {
        return -1;
      }
    }

    int free() {
      try {
        handle.recycle("object");
        return 1;
      } catch (IllegalStateException refused) {
        return -1;
      }
    }

    int take() {
      return stack.pop() != null || stack.popSlow() != null ? 1 : 0;
    }

    int takeAll() {
      int taken = 0;
      while (take() == 1 && taken < 10) {
        taken++;
      }
      return taken;
    }
  }

  /** Another thread frees the object that the owner looks for. Found, found at rest. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the owner finds it")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the owner is too early, and finds it next")
  @Outcome(expect = FORBIDDEN, desc = "lost, or handed out twice")
  @State
  public static class OtherFreesOwnerTakes {
    private final Parts parts = new Parts();

    @Actor
    public void owner(II_Result result) {
      result.r1 = parts.take();
    }

    @Actor
    public void other() {
      parts.free();
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r2 = parts.takeAll();
    }
  }

  /** The owner and another thread free the same object. Results, found at rest. */
  @JCStressTest
  @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the other is refused")
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the owner is refused")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "at once: the other's claim is ignored")
  @Outcome(expect = FORBIDDEN, desc = "lost, or handed out twice")
  @State
  public static class OwnerAndOtherFree {
    private final Parts parts = new Parts();

    @Actor
    public void owner(III_Result result) {
      result.r1 = parts.freeAsOwner();
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = parts.free();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = parts.takeAll();
    }
  }

  /**
   * Another thread frees the object for its first turn, while the owner frees it, takes it and
   * frees it again. The owner's two results (the second is 0 if it found nothing), found at rest.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the other's claim is late, or refused")
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the other was first")
  @Outcome(id = "-1, 0, 1", expect = ACCEPTABLE, desc = "the other was first, and is not done")
  @Outcome(expect = FORBIDDEN, desc = "the owner's second release is refused, or the object lost")
  @State
  public static class LateClaim {
    private final Parts parts = new Parts();
    private final int firstTurn = parts.handle.turn;

    @Actor
    public void owner(III_Result result) {
      result.r1 = parts.freeAsOwner();
      result.r2 = parts.take() == 1 ? parts.freeAsOwner() : 0;
    }

    @Actor
    public void other() {
      try {
        parts.handle.freeByOther(parts.stack, firstTurn);
      } catch (IllegalStateException refused) {
        // the owner was first
      }
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = parts.takeAll();
    }
  }

  /** Two threads that are not the owner free the same object. Results, found at rest. */
  @JCStressTest
  @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the second is refused")
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the second is refused")
  @Outcome(expect = FORBIDDEN, desc = "lost, or handed out twice")
  @State
  public static class TwoOtherThreadsFree {
    private final Parts parts = new Parts();

    @Actor
    public void one(III_Result result) {
      result.r1 = parts.free();
    }

    @Actor
    public void another(III_Result result) {
      result.r2 = parts.free();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = parts.takeAll();
    }
  }
}
