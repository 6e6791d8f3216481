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

/** Threads that race for the lock of a shared cache. */
public final class SharedCacheCases {
  private static final int SMALL_BYTES = 2 * Parts.PAGE;
  private static final int NORMAL_BYTES = 4 * Parts.PAGE;

  private SharedCacheCases() {}

  private static Parts.SlotName take(ThreadCache cache, int sizeClass, int bytes) {
    Object taken = null;
    if (cache.lock.tryAcquireWord()) {
      taken = cache.tryTakeLocked(sizeClass, bytes);
      cache.lock.releaseWord();
    }
    if (taken == null) {
      cache.lock.lock();
      try {
        taken = cache.allocate(bytes);
      } finally {
        cache.lock.unlock();
      }
    }
    return (Parts.SlotName) taken;
  }

  private static void retire(ThreadCache cache) {
    cache.lock.lock();
    cache.isReplaced = true;
    cache.lock.unlock();
    cache.abandonGroups();
  }

  /** Returns the free slots that the bin counts or that the remote list of its one group has. */
  private static int counted(Bin bin) {
    return (int) bin.counters.cachedSlots() + bin.current.remoteCount();
  }

  /** Two threads release into the current subpage. Free slots, counted ones. */
  @JCStressTest
  @Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "both as the owner, or one as another thread")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, is listed twice, or was miscounted")
  @State
  public static class TwoReleases {
    private final ThreadCache cache = new Parts().sharedCache();
    private final Parts.SlotName first = take(cache, Parts.SMALL, SMALL_BYTES);
    private final Parts.SlotName second = take(cache, Parts.SMALL, SMALL_BYTES);

    @Actor
    public void one() {
      first.release();
    }

    @Actor
    public void other() {
      second.release();
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = Parts.freeSlots(first.group());
      result.r2 = counted(first.group().bin);
    }
  }

  /** A thread takes while another releases. The same slot, free slots, counted ones. */
  @JCStressTest
  @Outcome(id = "0, 3, 3", expect = ACCEPTABLE, desc = "taken first")
  @Outcome(id = "1, 3, 3", expect = ACCEPTABLE, desc = "released first: taken again")
  @Outcome(expect = FORBIDDEN, desc = "a slot was lost, is listed twice, or was miscounted")
  @State
  public static class ReleaseDuringTake {
    private final ThreadCache cache = new Parts().sharedCache();
    private final Parts.SlotName held = take(cache, Parts.SMALL, SMALL_BYTES);

    @Actor
    public void taker(III_Result result) {
      result.r1 = Parts.bit(take(cache, Parts.SMALL, SMALL_BYTES).index() == held.index());
    }

    @Actor
    public void releaser() {
      held.release();
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r2 = Parts.freeSlots(held.group());
      result.r3 = counted(held.group().bin);
    }
  }

  /** The cache is retired while its slots are released. Groups, orphans left. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "all memory was freed")
  @Outcome(expect = FORBIDDEN, desc = "memory that no thread will free")
  @State
  public static class ReleasesDuringRetirement {
    private final Parts parts = new Parts();
    private final ThreadCache cache = parts.sharedCache();
    private final Parts.SlotName slot = take(cache, Parts.SMALL, SMALL_BYTES);
    private final Parts.SlotName run = take(cache, Parts.NORMAL, NORMAL_BYTES);

    /** With a budget for the run, so that its release is fast, too. */
    public ReleasesDuringRetirement() {
      if (!run.group().isIdle) {
        throw new AssertionError("the run would not be cached");
      }
    }

    @Actor
    public void releaser() {
      slot.release();
      run.release();
    }

    @Actor
    public void maintenance() {
      retire(cache);
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = parts.arena.groups().size();
      result.r2 = parts.orphans().size();
    }
  }

  /** A run that is not kept is released while a thread takes one. Groups, slots in use, pages. */
  @JCStressTest
  @Outcome(id = "1, 1, 4", expect = ACCEPTABLE, desc = "the same run, or another")
  @Outcome(expect = FORBIDDEN, desc = "a run was lost, or is in use twice")
  @State
  public static class UnkeptRunReleasedDuringTake {
    private final Parts parts = new Parts(Parts.WITHOUT_RUNS);
    private final ThreadCache cache = parts.sharedCache();
    private final Parts.SlotName run = take(cache, Parts.NORMAL, NORMAL_BYTES);

    @Actor
    public void taker() {
      take(cache, Parts.NORMAL, NORMAL_BYTES);
    }

    @Actor
    public void releaser() {
      run.release();
    }

    @Arbiter
    public void atRest(III_Result result) {
      cache.trim();
      parts.report(result);
    }
  }
}
