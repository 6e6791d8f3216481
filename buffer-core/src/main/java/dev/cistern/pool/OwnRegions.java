/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.NativeHeapTrim;
import dev.cistern.memory.Region;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a pool has of its source; refers to regions only, so that it may outlive the pool. */
final class OwnRegions implements MemorySource {
  private final MemorySource source;
  private final @Nullable NativeHeapTrim trim;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Guarded by {@link #lock}. Of a kind that either adds or fails, and takes out without wanting
   * memory: a region that is in the wrong place here is freed twice, or never.
   */
  private final Set<Region> out = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The bytes in {@link #out}: written under the lock, read by anybody. */
  private final AtomicLong reservedBytes = new AtomicLong();

  /**
   * @param trim is told what goes back; null where nobody is to know
   */
  OwnRegions(MemorySource source, @Nullable NativeHeapTrim trim) {
    this.source = source;
    this.trim = trim;
  }

  @Override
  public Region allocate(int bytes) {
    Region region = source.allocate(bytes);
    ShortHeap.lock(lock);
    try {
      out.add(region);
      reservedBytes.addAndGet(region.bytes());
    } catch (Throwable failed) {
      source.free(region);
      throw failed;
    } finally {
      lock.unlock();
    }
    return region;
  }

  /** Gives a region back to the source; does nothing if it went back before. */
  @Override
  public void free(Region region) {
    ShortHeap.lock(lock);
    try {
      if (!out.remove(region)) {
        return;
      }
      reservedBytes.addAndGet(-region.bytes());
    } finally {
      lock.unlock();
    }
    source.free(region);
    if (trim != null) {
      trim.givenBack(region.bytes());
    }
  }

  /**
   * The pool is phantom reachable, and so is every buffer of it; where one fails, the rest goes.
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

  private Region[] all() {
    ShortHeap.lock(lock);
    try {
      return out.toArray(new Region[0]);
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of all that is out, without a lock. */
  long reservedBytes() {
    return reservedBytes.get();
  }

  /** Bytes of all that is out: a walk, for checks. */
  long bytes() {
    long bytes = 0;
    ShortHeap.lock(lock);
    try {
      for (Region region : out) {
        bytes += region.bytes();
      }
    } finally {
      lock.unlock();
    }
    return bytes;
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
