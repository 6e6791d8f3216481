/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.internal.DaemonThreads;
import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that ticks every pool about once a second. It refers to pools weakly, and ends
 * when no pool is left.
 */
final class MaintenanceThread implements Runnable {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  /** The pools to tick. Its monitor guards the list and {@link #thread}. */
  private static final List<WatchedPool> POOLS = new ArrayList<>();

  private static @Nullable Thread thread;

  /**
   * A reference to a pool. The garbage collector clears the weak reference before it runs
   * finalizers, which may still use a buffer of the pool. It clears the phantom reference when no
   * finalizer can use one (docs/internals/decisions/0036). If a pool fails, this thread logs the
   * failure, continues with the other pools, and tries again in the next round.
   */
  private static final class WatchedPool extends WeakReference<BufferPool> {
    private final PhantomReference<BufferPool> phantom;
    private final PoolRegions regions;

    WatchedPool(BufferPool pool, PoolRegions regions) {
      super(pool);
      this.phantom = new PhantomReference<>(pool, null); // read, not queued
      this.regions = regions;
    }

    void tick() {
      BufferPool pool = get();
      if (pool == null) {
        return;
      }
      try {
        pool.tick();
        Throwable notReleased = pool.takeReleaseFailure();
        if (notReleased != null) {
          log("a release into the " + pool + " failed; this thread finishes it", notReleased);
        }
      } catch (RuntimeException | Error failed) {
        log("maintenance of the " + pool + " failed", failed);
      }
    }

    /**
     * Returns whether the pool needs no more ticks: it is closed and has no memory, or no code can
     * reach it. Frees the memory in the second case.
     */
    boolean isDone() {
      try {
        BufferPool pool = get();
        if (pool != null) {
          return pool.isClosed() && pool.reservedBytes() == 0;
        }
        boolean isUnreachable = phantom.refersTo(null);
        if (isUnreachable) {
          regions.freeAll();
        }
        return isUnreachable;
      } catch (RuntimeException | Error failed) {
        log("cannot free a closed or unreachable pool", failed);
        return false;
      }
    }

    private static void log(String message, Throwable failed) {
      System.getLogger(MaintenanceThread.class.getName())
          .log(System.Logger.Level.ERROR, message, failed);
    }
  }

  private MaintenanceThread() {}

  static void watch(BufferPool pool, PoolRegions regions) {
    synchronized (POOLS) {
      POOLS.add(new WatchedPool(pool, regions));
      if (thread == null) {
        Thread started = DaemonThreads.create("cistern-maintenance", new MaintenanceThread());
        started.start();
        thread = started;
      }
    }
  }

  @Override
  public void run() {
    for (boolean isAnyLeft = true; isAnyLeft; ) {
      long next = System.nanoTime() + PERIOD_NANOS;
      for (long wait; (wait = next - System.nanoTime()) > 0; ) {
        Thread.interrupted(); // ignore interrupts: some hosts interrupt every thread
        LockSupport.parkNanos(wait);
      }
      try {
        isAnyLeft = runRound();
      } catch (RuntimeException | Error failed) {
        // Memory is probably short. The next round frees some.
      }
    }
  }

  /** Ticks the pools; returns whether any is left. */
  private static boolean runRound() {
    List<WatchedPool> pools;
    synchronized (POOLS) {
      for (Iterator<WatchedPool> all = POOLS.iterator(); all.hasNext(); ) {
        if (all.next().isDone()) { // no lambda: the Java heap may be too full to link it
          all.remove();
        }
      }
      if (POOLS.isEmpty()) {
        thread = null;
        return false;
      }
      pools = new ArrayList<>(POOLS);
    }
    for (WatchedPool pool : pools) {
      pool.tick();
    }
    return true;
  }
}
