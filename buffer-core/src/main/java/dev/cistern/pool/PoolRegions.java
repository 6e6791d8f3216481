/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.MemoryWay;
import dev.cistern.memory.NativeMemory;
import dev.cistern.memory.PageMap;
import dev.cistern.memory.Region;
import dev.cistern.stats.PoolStat;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The regions that a pool has allocated from its source. It refers only to regions, so that it can
 * outlive the pool. Thread-safe.
 */
final class PoolRegions implements MemorySource {
  /** The pause after a measurement of resident memory, as a multiple of its duration. */
  private static final int PAUSE_FACTOR = 1000;

  private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final MemorySource source;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * The regions that are not yet freed. Guarded by {@link #lock}. A failed addition leaves this
   * kind of set unchanged, and a removal allocates no memory. A missing region would never be
   * freed, and a region that is not removed would be freed twice.
   */
  private final Set<Region> out = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Bytes of {@link #out}. Written under {@link #lock}, read without it. */
  private final AtomicLong reservedBytes = new AtomicLong();

  /** The way in which the newest native region was allocated. */
  private volatile @Nullable MemoryWay way;

  /** Resident bytes at the last measurement. */
  private volatile long residentBytes = PoolStat.UNKNOWN;

  /** Time of the next measurement. Guarded by this object's monitor. */
  private long nextNanos = System.nanoTime();

  PoolRegions(MemorySource source) {
    this.source = source;
  }

  @Override
  public Region allocate(int bytes) {
    Region region = source.allocate(bytes);
    OomRetry.lock(lock);
    try {
      out.add(region);
      reservedBytes.addAndGet(region.bytes());
      way = region.array() == null ? region.way() : null;
    } catch (Throwable failed) {
      source.free(region);
      throw failed;
    } finally {
      lock.unlock();
    }
    return region;
  }

  /** Frees a region, or does nothing if it was freed before. */
  @Override
  public void free(Region region) {
    OomRetry.lock(lock);
    try {
      if (!out.remove(region)) {
        return;
      }
      reservedBytes.addAndGet(-region.bytes());
    } finally {
      lock.unlock();
    }
    source.free(region);
  }

  /**
   * Frees all regions, because no code can reach the pool or one of its buffers. A failure does not
   * prevent the release of later regions.
   */
  void freeAll() {
    Throwable failed = null;
    for (Region region : all()) {
      try {
        free(region);
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /** Returns all regions that are not yet freed. */
  Region[] all() {
    OomRetry.lock(lock);
    try {
      return out.toArray(new Region[0]);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Measures the resident bytes of native memory, unless the last measurement is too recent. A
   * measurement takes about 20 ns for each page. It may count a region that is freed meanwhile.
   */
  void measureIfDue() {
    if (way != null) {
      try {
        measureIfDue(System.nanoTime());
        NativeMemory.reportLimit();
      } catch (RuntimeException | Error failed) {
        // The next round measures again. The later steps of this round must not fail with a full
        // heap.
      }
    }
  }

  private synchronized void measureIfDue(long startNanos) {
    if (startNanos - nextNanos < 0) {
      return;
    }
    long sum = 0;
    for (Region region : all()) {
      long bytes = PageMap.residentBytes(region.address(), region.bytes());
      if (bytes < 0) {
        sum = PoolStat.UNKNOWN;
        break;
      }
      sum += bytes;
    }
    residentBytes = sum;
    long now = System.nanoTime();
    long pause = Math.min(MAX_PAUSE_NANOS, (now - startNanos) * PAUSE_FACTOR);
    nextNanos = now + Math.max(MIN_PAUSE_NANOS, pause);
  }

  /** Adds the resident bytes and the way of allocation to a snapshot. */
  void report(SnapshotBuilder snapshot) {
    MemoryWay known = way;
    long reserved = reservedBytes.get();
    long resident = reserved == 0 && known != null ? 0 : residentBytes;
    snapshot.set(PoolStat.RESIDENT_BYTES, Math.min(resident, reserved));
    snapshot.set(PoolStat.MEMORY_WAY, known == null ? PoolStat.UNKNOWN : known.ordinal());
  }

  /** Returns the bytes of all regions; takes no lock. */
  long reservedBytes() {
    return reservedBytes.get();
  }

  @Override
  public long usedBytes() {
    return source.usedBytes();
  }

  @Override
  public long limitBytes() {
    return source.limitBytes();
  }
}
