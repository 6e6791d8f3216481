/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The table of thread caches, read without a lock while entries are added and removed. */
public final class ThreadTableCases {
  private ThreadTableCases() {}

  /** A thread finds its cache while another cache is added and removed. Found, removed. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each added cache is found, and no other")
  @Outcome(expect = FORBIDDEN, desc = "a thread missed its cache, or found a retired one")
  @State
  public static class LookUpWhileAnotherCacheIsAddedAndRemoved {
    private static final ThreadCaches CACHES = new ThreadCaches(Parts.POOL, Parts.POOL.arenas);

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
   * As above, with the same place for both, because other caches have all places before it. Checks
   * the order of the two changes. Found, removed, missed at the next state.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "each added cache is found, and no other")
  @Outcome(expect = FORBIDDEN, desc = "a thread missed its cache, or found a retired one")
  @State
  public static class LookUpPastAPlaceThatIsTakenAndFreed {
    /** The ids of the two threads differ by less. */
    private static final int PLACES_TAKEN = 16;

    private static final ThreadCaches CACHES = new ThreadCaches(Parts.POOL, Parts.POOL.arenas);
    private static final Parts PARTS = new Parts();

    /** The threads whose places are taken, by cache. Guarded by the lock of the caches. */
    private static final Map<ThreadCache, Thread> TAKEN = new HashMap<>();

    private static final ThreadLocal<Boolean> HAS_TAKEN = ThreadLocal.withInitial(() -> false);

    /** The cache that a thread has to find. */
    private static final ThreadLocal<ThreadCache> OWN = new ThreadLocal<>();

    /**
     * Takes all places from the calling thread's on, once for each thread. jcstress has thousands
     * of threads, one after the other: those of threads that have ended are freed.
     */
    private static void takePlaces() {
      if (HAS_TAKEN.get()) {
        return;
      }
      HAS_TAKEN.set(true);
      CACHES.lock.lock();
      try {
        TAKEN.entrySet().removeIf(taken -> !taken.getValue().isAlive() && free(taken.getKey()));
        for (int i = 0; i < PLACES_TAKEN; i++) {
          ThreadCache cache = PARTS.sharedCache();
          CACHES.table.add(cache);
          TAKEN.put(cache, Thread.currentThread());
        }
      } finally {
        CACHES.lock.unlock();
      }
    }

    private static boolean free(ThreadCache cache) {
      CACHES.table.remove(cache);
      return true;
    }

    @Actor
    public void stays(III_Result result) {
      takePlaces();
      ThreadCache mine = CACHES.current();
      result.r3 = Parts.bit(mine != OWN.get());
      if (mine == null) {
        mine = CACHES.create();
        OWN.set(mine);
      }
      int found = 0;
      for (int i = 0; i < 8; i++) {
        found += Parts.bit(CACHES.current() == mine);
      }
      result.r1 = Parts.bit(found == 8);
    }

    @Actor
    public void goes(III_Result result) {
      takePlaces();
      CACHES.create();
      OWN.remove();
      CACHES.removeCurrent();
      result.r2 = Parts.bit(CACHES.current() == null);
    }
  }

  /**
   * The table has the current groups of another thread at a thread's first place, as if both had
   * that place. All states share a pool. Allocations from another thread's group: of each thread.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "each allocates from its own groups")
  @Outcome(expect = FORBIDDEN, desc = "a thread allocated from a group of another")
  @State
  public static class GroupsOfAnotherThreadAtFirstPlace {
    private static final BufferPool POOL = Parts.pool(1 << 20);
    private static final SlotGroup[][] ROWS = POOL.caches.table.currentGroups();
    private static volatile SlotGroup[] row = ROWS[0];

    private static int allocatesFromAnother() {
      Parts.SlotName slot = (Parts.SlotName) POOL.allocate(2 * Parts.PAGE);
      Parts.SlotName run = (Parts.SlotName) POOL.allocate(4 * Parts.PAGE);
      boolean isOwn = slot.group().isOwnedByCaller() && run.group().isOwnedByCaller();
      slot.release();
      run.release();
      return Parts.bit(!isOwn);
    }

    @Actor
    public void guest(II_Result result) {
      ROWS[ThreadTable.place(Thread.currentThread())] = row;
      result.r1 = allocatesFromAnother();
    }

    @Actor
    public void host(II_Result result) {
      result.r2 = allocatesFromAnother();
      row = POOL.caches.current().current;
    }
  }

  /** A thread reads current groups that another adds. Groups missing, groups of the reader. */
  @JCStressTest
  @Outcome(
      id = "0, 0",
      expect = ACCEPTABLE,
      desc = "all groups are visible, and of no other thread")
  @Outcome(expect = FORBIDDEN, desc = "a thread saw an array before it was filled")
  @State
  public static class GroupsReadWhileAdded {
    private static final Parts PARTS = new Parts();
    private static final int CLASSES = Parts.POOL.sizeClasses.count();
    private static final ThreadTable TABLE = new ThreadTable(Parts.POOL.noGroup, CLASSES);
    private static volatile int place;

    @Actor
    public void owner() {
      Thread thread = Thread.currentThread();
      place = ThreadTable.place(thread);
      ThreadCache cache = PARTS.cache(thread);
      TABLE.add(cache);
      TABLE.remove(cache);
    }

    @Actor
    public void reader(II_Result result) {
      Thread thread = Thread.currentThread();
      SlotGroup[] row = TABLE.currentGroups()[place];
      for (int sizeClass = 0; sizeClass < CLASSES; sizeClass++) {
        SlotGroup group = row[sizeClass];
        result.r1 += Parts.bit(group == null);
        result.r2 += Parts.bit(group != null && group.owner == thread);
      }
    }
  }

  /**
   * The maintenance thread suspends the cache of a running thread. It may stop there, and the
   * thread takes its cache back. All states share a pool. One slot allocated twice, invariants
   * broken.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the thread only takes a detour")
  @Outcome(expect = FORBIDDEN, desc = "two threads used the cache, or a slot was lost")
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
    public void maintenance() {
      POOL.caches.suspend(POOL.caches.all(), POOL.arenas[0].groups());
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

  /**
   * As above with runs that the caches do not keep, so that a group moves from bin to bin. The
   * maintenance thread suspends one cache, and not that of the thread that takes the run. Runs that
   * lost their owner.
   */
  @JCStressTest
  @Outcome(id = "0, 4", expect = ACCEPTABLE, desc = "the new owner still owns the run")
  @Outcome(expect = FORBIDDEN, desc = "a run of a running thread lost its owner")
  @State
  public static class SuspensionWhileRunIsReused {
    private static final Thread OTHER = new Thread(() -> {}, "never started");
    private final Parts parts = new Parts(Parts.WITHOUT_RUNS);
    private final Bin former = parts.bin(Parts.NORMAL);
    private final Bin next = new Bin(parts.cache(OTHER), Parts.NORMAL);
    private final Parts.SlotName slot = Parts.take(former);

    @Actor
    public void owners() {
      Parts.releaseAsOwner(slot);
      Parts.take(next);
    }

    @Actor
    public void maintenance() {
      Parts.WITHOUT_RUNS.caches.suspend(List.of(former.cache), List.of(slot.group()));
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = Parts.bit(next.current.owner != OTHER);
      result.r2 = parts.pagesInUse();
    }
  }
}
