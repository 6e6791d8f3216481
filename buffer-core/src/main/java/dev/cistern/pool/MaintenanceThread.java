/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.DaemonThreads;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One daemon thread that ticks every pool about once a second. It holds pools weakly, and ends when
 * none is left.
 */
final class MaintenanceThread implements Runnable {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private static final List<Watched> POOLS = new ArrayList<>();
  private static @Nullable Thread thread;

  /** Phantom references need a queue; here their state is read instead. */
  private static final ReferenceQueue<BufferPool> UNUSED = new ReferenceQueue<>();

  /**
   * A pool. The collector clears the weak reference before it runs the finalizers that may still
   * use a buffer of the pool, and the phantom reference once no finalizer can
   * (docs/decisions/0036).
   */
  private static final class Watched extends WeakReference<BufferPool> {
    private final PhantomReference<BufferPool> phantom;
    private final PoolRegions regions;

    Watched(BufferPool pool, PoolRegions regions) {
      super(pool);
      this.phantom = new PhantomReference<>(pool, UNUSED);
      this.regions = regions;
    }

    /** Frees the regions if no code can reach the pool any more; returns whether that is so. */
    boolean freeUnreachable() {
      if (!phantom.refersTo(null)) {
        return false;
      }
      while (UNUSED.poll() != null) {
        // The queue keeps a reference until it is polled.
      }
      regions.freeAll();
      return true;
    }
  }

  private MaintenanceThread() {}

  static void watch(BufferPool pool, PoolRegions regions) {
    synchronized (POOLS) {
      POOLS.add(new Watched(pool, regions));
      if (thread == null) {
        Thread started = DaemonThreads.create("cistern-maintenance", new MaintenanceThread());
        started.start();
        thread = started;
      }
    }
  }

  @Override
  public void run() {
    long next = System.nanoTime() + PERIOD_NANOS;
    for (; ; ) {
      for (long wait; (wait = next - System.nanoTime()) > 0; ) {
        Thread.interrupted(); // ignore interrupts: some hosts interrupt every thread
        LockSupport.parkNanos(wait);
      }
      next = System.nanoTime() + PERIOD_NANOS;
      try {
        if (!round()) {
          return;
        }
      } catch (RuntimeException | Error failed) {
        // Most likely memory is short: this thread is the one to give some back, a second later.
      }
    }
  }

  private static boolean round() {
    List<Watched> pools = watched();
    if (pools == null) {
      return false;
    }
    for (Watched reference : pools) {
      tick(reference.get());
    }
    return true;
  }

  /** A pool that fails must not stop the care for the others. */
  private static void tick(@Nullable BufferPool pool) {
    if (pool == null) {
      return;
    }
    try {
      pool.tick();
      Throwable notReleased = pool.takeReleaseFailure();
      if (notReleased != null) {
        System.getLogger(MaintenanceThread.class.getName())
            .log(
                System.Logger.Level.ERROR,
                "a release into the " + pool + " failed; it is finished by this thread",
                notReleased);
      }
    } catch (RuntimeException | Error failed) {
      System.getLogger(MaintenanceThread.class.getName())
          .log(System.Logger.Level.ERROR, "upkeep of the " + pool + " failed", failed);
    }
  }

  /** A pool that fails must not stop the care for the others: it is asked again. */
  private static boolean isDone(Watched reference, @Nullable BufferPool pool) {
    try {
      if (pool == null) {
        return reference.freeUnreachable();
      }
      return pool.isClosed() && pool.snapshot().reservedBytes() == 0;
    } catch (RuntimeException | Error failed) {
      System.getLogger(MaintenanceThread.class.getName())
          .log(System.Logger.Level.ERROR, "upkeep of a pool that is let go failed", failed);
      return false;
    }
  }

  /** The pools that are left; null when this thread is to end. */
  private static @Nullable List<Watched> watched() {
    synchronized (POOLS) {
      for (Iterator<Watched> i = POOLS.iterator(); i.hasNext(); ) {
        Watched reference = i.next();
        BufferPool pool = reference.get();
        if (isDone(reference, pool)) {
          i.remove();
        }
      }
      if (POOLS.isEmpty()) {
        thread = null;
        return null;
      }
      return new ArrayList<>(POOLS);
    }
  }
}
