/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The maintenance of a pool, which frees memory that no buffer uses: at each tick, when memory is
 * short, and when the pool is closed.
 */
final class Maintenance {
  /** The longest time that a released slot stays in quarantine. */
  private static final long QUARANTINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BufferPool pool;
  private final Arena[] arenas;
  private final PoolRegions regions;
  private final ThreadCaches caches;
  private final SharedCaches shared;
  final IdleCacheReclaimer idle;

  /**
   * The lock that a thread holds while it frees memory of other threads' caches, or checks an idle
   * pool.
   */
  final ReentrantLock lock = new ReentrantLock();

  /** The thread that is reclaiming the caches of idle threads, or null. */
  private volatile @Nullable Thread reclaimer;

  /**
   * Number of failed releases after which all groups were searched for memory that was not freed.
   * Guarded by {@link #lock}.
   */
  private long failuresSeen;

  Maintenance(BufferPool pool, PoolRegions regions, ThreadCaches caches, SharedCaches shared) {
    this.pool = pool;
    this.arenas = pool.arenas;
    this.regions = regions;
    this.caches = caches;
    this.shared = shared;
    this.idle = new IdleCacheReclaimer(caches, shared, arenas);
  }

  boolean isReclaiming() {
    return Thread.currentThread() == reclaimer;
  }

  /** Does the work that is due by time. */
  void tick() {
    pool.pendingReleases.finish(pool);
    pool.trimRound.incrementAndGet();
    if (regions.reservedBytes() == 0 && caches.isEmpty()) {
      return;
    }
    pool.quarantine.release(pool.isClosed() ? 0 : QUARANTINE_NANOS);
    caches.reap();
    shared.trim();
    reclaimer = Thread.currentThread();
    try {
      revokeIdleCaches();
    } finally {
      reclaimer = null;
    }
    long decayMillis = pool.isClosed() ? 0 : pool.settings().decayMillis();
    releaseUnused(TimeUnit.MILLISECONDS.toNanos(decayMillis));
    regions.measureIfDue();
  }

  private void revokeIdleCaches() {
    long idleMillis = pool.settings().idleCacheMillis();
    if (idleMillis != 0) {
      OomRetry.lock(lock);
      try {
        idle.check(TimeUnit.MILLISECONDS.toNanos(pool.isClosed() ? 0 : idleMillis));
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Frees unused memory, because memory is short. The caches of other living threads keep their
   * idle groups, except groups of which other threads released every slot.
   */
  void reclaim() {
    StackRoom.require();
    pool.pendingReleases.finish(pool);
    pool.quarantine.release(0);
    pool.trimCurrentThreadCache();
    shared.trim();
    shared.trim(); // also frees the groups that the first trim found idle
    releaseUnused(0);
  }

  /** Retires the shared caches, and frees all unused memory, because the pool is closed. */
  void close() {
    pool.pendingReleases.finish(pool);
    pool.quarantine.release(0);
    caches.removeCurrent();
    caches.retireShared(shared, shared.all(), true);
    releaseUnused(0);
  }

  private void releaseUnused(long decayNanos) {
    caches.reap();
    OomRetry.lock(lock);
    try {
      idle.revokeReleased();
      long failures = pool.pendingReleases.failures();
      if (failures != failuresSeen) {
        for (SlotGroup group : pool.groups()) {
          group.revokeReleased();
        }
        failuresSeen = failures; // at the end: after a failure, the next tick repeats the search
      }
      for (Arena arena : arenas) {
        arena.releaseIdleChunks(decayNanos);
      }
      pool.extents.releaseIdle(decayNanos);
    } finally {
      lock.unlock();
    }
  }

  /** See {@link BufferPool#tryFreeOne}. */
  boolean tryFreeOne() {
    StackRoom.require();
    if (pool.extents.tryFreeOne() || Arena.tryFreeChunk(arenas)) {
      return true;
    }
    if (QuiescenceCheck.isCallerInside() || isAnyArenaLocked() || !lock.tryLock()) {
      return false; // the holder of a lock may itself wait for memory
    }
    try {
      pool.quarantine.release(0);
      caches.removeCurrent();
      return Arena.tryFreeChunk(arenas) || idle.tryFreeByTakingAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isAnyArenaLocked() {
    for (Arena arena : arenas) {
      if (arena.isLocked()) {
        return true;
      }
    }
    return false;
  }
}
