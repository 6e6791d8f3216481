/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeClassStat;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reader of snapshots against threads that allocate and release. All states of a case share one
 * pool, so that its counters continue through every iteration.
 */
public final class SnapshotCases {
  private static final String SOUND = "every statistic is possible, and no counter decreased";
  private static final String UNSOUND = "see the bits in wrong()";
  private static final int BYTES = 2 * Parts.PAGE;

  private SnapshotCases() {}

  /** Returns one bit for each impossible value in a snapshot, or in two consecutive ones. */
  static int wrong(PoolSnapshot before, PoolSnapshot now) {
    int wrong = 0;
    for (int sizeClass = 0; sizeClass < now.layout().sizeClasses(); sizeClass++) {
      long allocations = now.get(SizeClassStat.ALLOCATIONS, sizeClass);
      long releases = now.get(SizeClassStat.DEALLOCATIONS, sizeClass);
      wrong |= Parts.bit(releases > allocations);
      wrong |= Parts.bit(allocations < before.get(SizeClassStat.ALLOCATIONS, sizeClass)) << 1;
      wrong |= Parts.bit(releases < before.get(SizeClassStat.DEALLOCATIONS, sizeClass)) << 2;
    }
    wrong |= Parts.bit(now.pinnedBytes() < 0 || now.pinnedBytes() > now.reservedBytes()) << 3;
    wrong |= Parts.bit(now.get(PoolStat.THREAD_CACHE_HITS) > now.threadCacheRequests()) << 4;
    int bit = 5;
    for (PoolStat stat :
        new PoolStat[] {
          PoolStat.THREAD_CACHE_REQUESTS,
          PoolStat.THREAD_CACHE_HITS,
          PoolStat.THREAD_CACHE_MISSES,
          PoolStat.REMOTE_RELEASES,
          PoolStat.REQUESTED_BYTES_TOTAL,
          PoolStat.ROUNDED_BYTES_TOTAL,
          PoolStat.THREAD_CACHES_GIVEN_UP
        }) {
      wrong |= Parts.bit(now.get(stat) < before.get(stat)) << bit++;
    }
    return wrong;
  }

  private static int readTwice(BufferPool pool) {
    PoolSnapshot first = pool.snapshot();
    return wrong(first, pool.snapshot());
  }

  private static Parts.SlotName allocate(BufferPool pool) {
    return (Parts.SlotName) pool.allocate(BYTES);
  }

  /** The owner allocates and releases while its counters are read. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = SOUND)
  @Outcome(expect = Expect.FORBIDDEN, desc = UNSOUND)
  @State
  public static class AllocationsDuringSnapshot {
    private static final BufferPool POOL = Parts.pool(1 << 20);

    @Actor
    public void owner() {
      Parts.SlotName first = allocate(POOL);
      Parts.SlotName second = allocate(POOL);
      first.release();
      second.release();
    }

    @Actor
    public void reader(I_Result result) {
      result.r1 = readTwice(POOL);
    }
  }

  /** The reader has just released a slot that the other thread allocated. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = SOUND)
  @Outcome(expect = Expect.FORBIDDEN, desc = UNSOUND)
  @State
  public static class RemoteReleasesDuringSnapshot {
    private static final BufferPool POOL = Parts.pool(1 << 20);

    private final AtomicReference<Parts.SlotName> handedOver = new AtomicReference<>();

    private void releaseHandedOver() {
      Parts.SlotName slot = handedOver.getAndSet(null);
      if (slot != null) {
        slot.release();
      }
    }

    @Actor
    public void owner() {
      handedOver.set(allocate(POOL));
    }

    @Actor
    public void reader(I_Result result) {
      PoolSnapshot before = POOL.snapshot();
      releaseHandedOver();
      result.r1 = wrong(before, POOL.snapshot());
    }

    @Arbiter
    public void atRest() {
      releaseHandedOver();
    }
  }

  /** The owner's cache is retired, and another one is made, while it is read. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = SOUND)
  @Outcome(expect = Expect.FORBIDDEN, desc = UNSOUND)
  @State
  public static class CacheRetiredDuringSnapshot {
    private static final BufferPool POOL = Parts.pool(1 << 20);

    @Actor
    public void owner() {
      Parts.SlotName slot = allocate(POOL);
      POOL.freeCurrentThreadCache();
      slot.release();
      allocate(POOL).release();
    }

    @Actor
    public void reader(I_Result result) {
      result.r1 = readTwice(POOL);
    }
  }
}
