/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The bins of a thread. A shared cache, for threads without their own cache, has a lock instead of
 * an owner: the thread that holds the lock acts as the owner.
 */
final class ThreadCache {
  // Kinds of groups that are kept without a slot in use. Neither of the first two can use the whole
  // budget of the other.
  private static final int SMALL = 0;

  /** The kind of groups that are neither small nor larger than the budget. */
  private static final int MEDIUM = 1;

  /**
   * The kind of groups that are larger than the budget. One is kept, of up to twice as many bytes.
   */
  private static final int LARGE = 2;

  /** Number of trims by count after which one trims all bins, even if nothing ticks the pool. */
  private static final int COUNT_TRIMS_FOR_A_FULL_ONE = 64;

  final BufferPool pool;
  final Arena arena;
  final CacheCounters counters;
  final @Nullable Thread owner;

  /** The place in {@link ThreadTable}, and the first place that a search tries. */
  int place;

  int home;

  /** The lock of a shared cache. The thread that holds it acts as the owner. */
  final CacheLock lock = new CacheLock();

  /** Whether another cache has replaced this shared cache. Guarded by {@link #lock}. */
  boolean isReplaced;

  /**
   * Whether the cache is retiring: its thread no longer finds it, and it abandons its groups one by
   * one. Guarded by the lock of {@link ThreadCaches}.
   */
  boolean isRetiring;

  /** Whether the cache has abandoned all groups. Guarded by the lock of {@link ThreadCaches}. */
  boolean isRetired;

  private final SizeClasses sizeClasses;
  private final int largest;

  /**
   * The bins by size class. The owner creates them on first use, and the maintenance thread reads
   * them.
   */
  final @Nullable Bin[] bins;

  /** The current group of each size class, or the group without a slot and an owner. */
  final SlotGroup[] current;

  // Only the owner uses the fields below.

  /** Bytes of the groups that are counted as idle, by kind. */
  final long[] idleBytes = new long[3];

  private int trimRoundSeen;
  private int trimsByCount;
  final ByteSampler sampler;
  private long hugeBytesUntilSample;
  private long hugeSampleInterval;

  /** The weight of a sample of a shared cache that is not yet reported to the front end. */
  private long sampledWeight;

  /** The state of the maintenance thread for this cache. */
  final CacheIdleState idleState = new CacheIdleState();

  ThreadCache(BufferPool pool, CacheCounters counters, @Nullable Thread owner) {
    this.pool = pool;
    this.arena = counters.arena;
    this.counters = counters;
    this.owner = owner;
    this.sizeClasses = pool.sizeClasses;
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

  /**
   * Allocates a slot on the fast path, or returns null. Only for a shared cache, under its lock.
   */
  @Nullable Object tryTakeLocked(int sizeClass, int bytes) {
    SlotGroup group = current[sizeClass];
    return group.hasFree() && !isReplaced ? group.take(bytes) : null;
  }

  /**
   * Releases a slot as the owner on the fast path, if no thread holds the lock. Only for a shared
   * cache.
   *
   * @param group a group with a slot that the caller holds and that this cache allocated. The cache
   *     still has the group unless the cache was replaced
   * @return whether the slot is released
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
      lock.isHeld = false; // no call: with a full stack, other threads would wait forever
      if (!isReleased) {
        throw failed;
      }
    }
    return isReleased;
  }

  private Object allocateHuge(int bytes) {
    if (hugeBytesUntilSample <= bytes) {
      StackRoom.require(); // a sample needs more stack, and a failure would lose the extent
    }
    SlotGroup extent = pool.extents.allocate(bytes);
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
   * Reports a sample to the front end. A shared cache does that after its lock is released, because
   * the front end may have to wait for a thread that needs this cache.
   */
  void sampled(Object object, int bytes, long weight) {
    if (owner != null) {
      pool.report.sampled(object, bytes, weight, sampler);
    } else {
      sampledWeight = weight;
    }
  }

  /**
   * Returns and clears the weight of the last sample; 0 if there is none. Only for a shared cache.
   */
  long takeSampledWeight() {
    long weight = sampledWeight;
    sampledWeight = 0;
    return weight;
  }

  // ---- memory from the arena

  /** Takes a whole run for a bin. */
  SlotGroup newRun(Bin bin) {
    return arena.takeRun(bin, sizeClasses.runPages(bin.sizeClass), 1);
  }

  /** Takes a subpage for a bin. */
  SlotGroup newSubpage(Bin bin, int growthLog2) {
    int slotBytes = sizeClasses.bytes(bin.sizeClass);
    int pages = sizeClasses.subpagePages(bin.sizeClass, growthLog2);
    if (pages * pool.settings().pageBytes() / slotBytes > RemoteFreeList.MAX_SLOTS) {
      pages = sizeClasses.subpagePages(bin.sizeClass, 0); // pages are large already
    }
    pages = fitIntoRoom(bin.sizeClass, pages);
    int slots = Math.min(RemoteFreeList.MAX_SLOTS, pages * pool.settings().pageBytes() / slotBytes);
    return arena.takeRun(bin, pages, slots);
  }

  /**
   * Returns a number of pages that fits into the first free pages of the chunks, so that the
   * subpage needs no new chunk. If another thread takes these pages first, the subpage gets other
   * pages, or a new chunk.
   */
  private int fitIntoRoom(int sizeClass, int wanted) {
    int least = sizeClasses.leastSubpagePages(sizeClass);
    int room = least < wanted ? arena.roomFor(least, wanted) : 0;
    return room == 0 ? wanted : sizeClasses.subpagePagesWithin(sizeClass, room);
  }

  // ---- idle groups

  /** Counts a group as idle. Returns false if the budget does not allow the cache to keep it. */
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
    group.isIdle = true; // no call from here, so that both fields change or neither
    idleBytes[kind] += bytes;
    return true;
  }

  /**
   * Returns whether the budget allows so many more bytes. Small groups may use the whole budget,
   * and so may medium groups; both together may use a quarter more.
   */
  private boolean hasBudget(int kind, long bytes) {
    long budget = pool.idleBudgetBytes();
    long idle = idleBytes[kind];
    long together = kind == LARGE ? idle : idleBytes[SMALL] + idleBytes[MEDIUM];
    return (idle + bytes <= budget && together + bytes <= budget + budget / 4)
        || (idle == 0 && bytes <= 2 * budget);
  }

  int kind(SlotGroup group) {
    if (group.sizeClass < sizeClasses.smallCount()) {
      return SMALL;
    }
    return group.bytes() > pool.settings().idleBytesPerThread() ? LARGE : MEDIUM;
  }

  /** Stops counting a group as idle. */
  void markBusy(SlotGroup group) {
    if (group.isIdle) {
      int kind = kind(group);
      long bytes = group.bytes();
      group.isIdle = false; // no call from here, so that both fields change or neither
      idleBytes[kind] -= bytes;
    }
  }

  // ---- trim and retirement

  /** Trims if a tick has passed since the last call. Returns whether one has passed. */
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
   * Trims a bin that has allocated often since its last trim. Trims all bins instead if that is
   * due: bins that were trimmed recently would free memory that they need again.
   */
  void trimAfterMany(Bin bin) {
    StackRoom.require();
    if (trimIfDue()) {
      return;
    }
    if (++trimsByCount % COUNT_TRIMS_FOR_A_FULL_ONE == 0) {
      SlowPath.trim(this);
    } else {
      counters.trims++;
      bin.trim();
    }
  }

  /** Chooses the next sample of all classes again if the mean has changed. */
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
    counters.trims++;
    for (Bin bin : bins) {
      if (bin != null) {
        bin.trim();
      }
    }
  }

  /**
   * Sets the owner of all groups. The owner calls this with itself after the cache was suspended,
   * or with null, so that from now on it releases as any other thread does.
   */
  void setOwner(@Nullable Thread thread) {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.setOwner(thread);
      }
    }
  }

  /** Frees released memory that the owner has not received. Runs on the maintenance thread. */
  void revokeReleased() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.revokeReleased();
      }
    }
  }

  /**
   * Abandons all groups. The caller is the owner, or a thread that has proved that the owner is
   * dead or sleeps outside the engine. If this fails, the next call continues.
   */
  void abandonGroups() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.abandonGroups();
      }
    }
  }
}
