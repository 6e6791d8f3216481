/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

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
final class Janitor implements Runnable {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private static final List<WeakReference<BufferPool>> POOLS = new ArrayList<>();
  private static @Nullable Thread thread;

  private Janitor() {}

  static void watch(BufferPool pool) {
    synchronized (POOLS) {
      POOLS.add(new WeakReference<>(pool));
      if (thread == null) {
        Thread started = new Thread(null, new Janitor(), "cistern-janitor", 0, false);
        started.setDaemon(true);
        // The creator's context loader is a guest's: it must not live as long as this thread.
        started.setContextClassLoader(null);
        thread = started;
        started.start();
      }
    }
  }

  @Override
  public void run() {
    long next = System.nanoTime() + PERIOD_NANOS;
    for (; ; ) {
      for (long wait; (wait = next - System.nanoTime()) > 0; ) {
        LockSupport.parkNanos(wait);
      }
      next += PERIOD_NANOS;
      List<WeakReference<BufferPool>> pools = watched();
      if (pools == null) {
        return;
      }
      for (WeakReference<BufferPool> reference : pools) {
        tick(reference.get());
      }
    }
  }

  /** A pool that fails must not stop the care for the others. */
  private static void tick(@Nullable BufferPool pool) {
    if (pool == null) {
      return;
    }
    try {
      pool.tick();
    } catch (RuntimeException | Error failed) {
      System.getLogger(Janitor.class.getName())
          .log(System.Logger.Level.ERROR, "upkeep of the " + pool + " failed", failed);
    }
  }

  /** The pools that are left; null when this thread is to end. */
  private static @Nullable List<WeakReference<BufferPool>> watched() {
    synchronized (POOLS) {
      for (Iterator<WeakReference<BufferPool>> i = POOLS.iterator(); i.hasNext(); ) {
        BufferPool pool = i.next().get();
        if (pool == null || (pool.isClosed() && pool.snapshot().reservedBytes() == 0)) {
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
