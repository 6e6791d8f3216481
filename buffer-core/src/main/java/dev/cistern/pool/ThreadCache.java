/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A thread's bins. A shared cache, for threads that get none of their own, has no owner but a lock,
 * and the thread that holds the lock stands for the owner.
 */
final class ThreadCache {
  final BufferPool pool;
  final Arena arena;
  final CacheCounters counters;
  final @Nullable Thread owner;

  /** Its place in {@link ThreadTable}, and the place it was looked for first. */
  int place;

  int home;

  /** Shared caches: the thread that holds it stands for the owner. */
  final CacheLock lock = new CacheLock();

  /** Shared caches: another cache has replaced this one. Guarded by {@link #lock}. */
  boolean isReplaced;

  /**
   * Its thread does not find it any more, and it leaves its groups one by one. Guarded by the lock
   * of {@link ThreadCaches}.
   */
  boolean isRetiring;

  /** It has left all groups. Guarded by the lock of {@link ThreadCaches}. */
  boolean isRetired;

  private final SizeClasses sizeClasses;
  private final int largest;

  /** By size class; made when first needed, by the owner; read by the maintenance thread. */
  final @Nullable Bin[] bins;

  /** By size class: the group that is allocated from, or one that has no slot and no owner. */
  final SlotGroup[] current;

  // Owner only.

  /** By kind: the bytes of groups that are counted as idle. */
  final long[] idleBytes = new long[2];

  private int trimRoundSeen;
  final ByteSampler sampler;
  private long hugeBytesUntilSample;
  private long hugeSampleInterval;

  /** Shared: the weight of a sample that the front end is to be told of. */
  private long sampledWeight;

  /** The maintenance thread's. */
  final CacheIdleState idleState = new CacheIdleState();

  ThreadCache(BufferPool pool, CacheCounters counters, @Nullable Thread owner) {
    this.pool = pool;
    this.arena = counters.arena;
    this.counters = counters;
    this.owner = owner;
    this.sizeClasses = pool.sizeClasses();
    this.largest = sizeClasses.bytes(sizeClasses.count() - 1);
    this.bins = new Bin[sizeClasses.count()];
    this.current = new SlotGroup[bins.length];
    Arrays.fill(current, pool.noGroup);
    this.trimRoundSeen = pool.trimRound.get();
    this.sampler = new ByteSampler(pool.sampling);
    drawHugeSample();
  }

  private void drawHugeSample() {
    hugeBytesUntilSample = sampler.next(ThreadLocalRandom.current());
    hugeSampleInterval = sampler.intervalBytes();
  }

  /**
   * Allocates a slot of at least {@code bytes} bytes.
   *
   * @param bytes 0 to {@link Integer#MAX_VALUE}
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  Object allocate(int bytes) {
    if (Integer.compareUnsigned(bytes, largest) > 0) {
      return allocateHuge(bytes);
    }
    int sizeClass = sizeClasses.of(bytes);
    Bin bin = bins[sizeClass];
    if (bin == null) {
      bin = new Bin(this, sizeClass);
      bins[sizeClass] = bin;
    }
    return bin.take(bytes);
  }

  /** Shared, and held: takes a slot, if one is at hand; null otherwise. */
  @Nullable Object tryTakeLocked(int sizeClass, int bytes) {
    SlotGroup group = current[sizeClass];
    return group.hasFree() && !isReplaced ? group.take(bytes) : null;
  }

  /**
   * Shared: releases as the owner, if that is nothing but a push and no thread holds the lock.
   *
   * @param group a group with a slot that the caller holds and that this cache allocated; the cache
   *     has it still unless the cache was replaced
   */
  boolean tryRelease(SlotGroup group, int index) {
    if (!lock.tryAcquireWord()) {
      return false;
    }
    boolean isReleased = false;
    try {
      isReleased = !isReplaced && group.tryReleaseFast(index);
      lock.releaseWord();
    } catch (Throwable failed) {
      lock.isHeld = false; // no call: there may be no stack, and other threads wait without end
      if (!isReleased) {
        throw failed;
      }
    }
    return isReleased;
  }

  private Object allocateHuge(int bytes) {
    if (hugeBytesUntilSample <= bytes) {
      StackRoom.require(); // a sample takes more than the extent, which would be lost
    }
    SlotGroup extent = pool.extents().allocate(bytes);
    Object object = Objects.requireNonNull(extent.bound[1]);
    hugeBytesUntilSample -= bytes;
    if (hugeBytesUntilSample <= 0) {
      long weight = sampler.weigh(bytes, hugeSampleInterval);
      drawHugeSample();
      if (weight != 0) {
        extent.unbind(1);
        sampled(object, bytes, weight);
      }
    }
    return object;
  }

  /**
   * Tells the front end of a sample: of a shared cache after its lock is given back, because the
   * front end may have to wait for a thread that wants this cache.
   */
  void sampled(Object object, int bytes, long weight) {
    if (owner != null) {
      pool.report.sampled(object, bytes, weight, sampler);
    } else {
      sampledWeight = weight;
    }
  }

  /** Shared: returns the weight of the sample that the last allocation drew, or 0; once. */
  long takeSampledWeight() {
    long weight = sampledWeight;
    sampledWeight = 0;
    return weight;
  }

  // ---- memory from the arena

  boolean isRun(int sizeClass) {
    return sizeClass >= sizeClasses.subpageCount();
  }

  /** Takes a whole run for a bin. */
  SlotGroup newRun(Bin bin) {
    return arena.takeRun(bin, sizeClasses.runPages(bin.sizeClass), 1);
  }

  /** Takes a subpage for a bin. */
  SlotGroup newSubpage(Bin bin, int growthLog2) {
    int slotBytes = sizeClasses.bytes(bin.sizeClass);
    int pages = sizeClasses.subpagePages(bin.sizeClass, growthLog2);
    if (pages * pool.settings().pageBytes() / slotBytes > RemoteWord.MAX_SLOTS) {
      pages = sizeClasses.subpagePages(bin.sizeClass, 0); // pages are large already
    }
    pages = fitIntoRoom(bin.sizeClass, pages);
    int slots = Math.min(RemoteWord.MAX_SLOTS, pages * pool.settings().pageBytes() / slotBytes);
    return arena.takeRun(bin, pages, slots);
  }

  /**
   * Makes a subpage as small as the first room that the chunks have for it, before it needs a new
   * chunk. Another thread may take that room first: then it lies elsewhere, or in a new chunk.
   */
  private int fitIntoRoom(int sizeClass, int wanted) {
    int least = sizeClasses.leastSubpagePages(sizeClass);
    int room = least < wanted ? arena.roomFor(least, wanted) : 0;
    return room == 0 ? wanted : sizeClasses.subpagePagesWithin(sizeClass, room);
  }

  // ---- groups that are kept without a slot in use

  /** Counts a group as idle; returns false if it must not stay, because of the budget. */
  boolean keepIdle(SlotGroup group) {
    if (group.isIdle) {
      return true;
    }
    int kind = kind(group);
    long bytes = group.bytes();
    if (!hasBudget(kind, bytes)) {
      for (int sizeClass = sizeClasses.subpageCount(); sizeClass < bins.length; sizeClass++) {
        Bin bin = bins[sizeClass];
        if (bin != null) {
          bin.stopCountingCurrentAsIdle();
        }
      }
      if (!hasBudget(kind, bytes)) {
        return false;
      }
    }
    group.isIdle = true; // no call from here on: both or nothing
    idleBytes[kind] += bytes;
    return true;
  }

  private boolean hasBudget(int kind, long bytes) {
    long budget = pool.idleBudgetBytes();
    long idle = idleBytes[kind];
    return idle + bytes <= budget || (idle == 0 && bytes <= 2 * budget);
  }

  /**
   * Returns which budget a group counts for: that of the groups that are larger than the usual
   * budget, of which one is kept, has number 1.
   */
  int kind(SlotGroup group) {
    return group.bytes() > pool.settings().idleBytesPerThread() ? 1 : 0;
  }

  /** Counts a group as one that is not idle. */
  void markBusy(SlotGroup group) {
    if (group.isIdle) {
      int kind = kind(group);
      long bytes = group.bytes();
      group.isIdle = false; // no call from here on: both or nothing
      idleBytes[kind] -= bytes;
    }
  }

  // ---- trim and end

  /** Trims if the maintenance thread has begun another round; returns whether it has. */
  boolean trimIfDue() {
    int round = pool.trimRound.get();
    if (round == trimRoundSeen) {
      return false;
    }
    trimRoundSeen = round;
    SlowPath.trim(this);
    if (sampler.relax()) {
      drawSamples();
    }
    drawSamplesIfChanged();
    return true;
  }

  /**
   * Trims a bin that has allocated often since its last trim. All others are trimmed if they are
   * due: soon after a trim, they would give back what they need again.
   */
  void trimAfterMany(Bin bin) {
    if (!trimIfDue()) {
      counters.countTrim();
      SlowPath.trim(bin);
    }
  }

  /** Draws again for all classes if the mean is not the one that they were drawn with. */
  void drawSamplesIfChanged() {
    if (sampler.isMeanChanged()) {
      drawSamples();
    }
  }

  private void drawSamples() {
    drawHugeSample();
    for (Bin bin : bins) {
      if (bin != null) {
        bin.drawSample();
      }
    }
  }

  void trim() {
    StackRoom.require();
    counters.countTrim();
    for (Bin bin : bins) {
      if (bin != null) {
        bin.trim();
      }
    }
  }

  /**
   * By the owner: makes it the owner of all groups again after the cache was suspended; or null, so
   * that from now on it releases as any other thread does.
   */
  void setOwner(@Nullable Thread thread) {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.setOwner(thread);
      }
    }
  }

  /** By the maintenance thread: takes memory back that the owner was sent and does not receive. */
  void revokeReleased() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.revokeReleased();
      }
    }
  }

  /**
   * Leaves all groups: by the owner, or by a thread that has proved that the owner is dead or
   * asleep outside of the engine. If this fails, calling it again goes on.
   */
  void abandonGroups() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.abandonGroups();
      }
    }
  }
}
