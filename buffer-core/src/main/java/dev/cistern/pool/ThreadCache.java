/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A thread's bins (seed rows A7 to A9). A shared cache, for threads that get none of their own, has
 * no owner but a lock, and who holds the lock stands for the owner.
 */
final class ThreadCache {
  /** Racks are small: most threads keep few runs of a class. */
  private static final int RACK_SLOTS = 16;

  final BufferPool pool;
  final Arena arena;
  final @Nullable Thread owner;

  /** Where its row is shown; kept, as a subclass may tell another id each time. */
  final int place;

  /** Where it is in the table of threads; kept for the same reason. */
  final int hash;

  /** Shared caches: who holds it stands for the owner. */
  final CacheLock lock = new CacheLock();

  /** Shared caches: given up, another stands in its place. Guarded by {@link #lock}. */
  boolean givenUp;

  /**
   * Given up: its thread does not find it any more, and what it has is left bit by bit. Guarded by
   * the lock of {@link ThreadCaches}; read by snapshots also without.
   */
  boolean leaving;

  /** Its counters are among the retired ones. Guarded by the lock of {@link ThreadCaches}. */
  boolean counted;

  private final SizeClasses sizeClasses;
  private final int largest;

  /** By size class; made when first needed, by the owner; read by snapshots. */
  final @Nullable Bin[] bins;

  /** By size class: the group that is allocated from, or one that has nothing and no owner. */
  final SlotGroup[] current;

  // Owner only.

  /** Bytes of runs that the bins may cache. */
  long grantedRunBytes;

  /** Of these, the bytes of a run that is larger than the whole budget. */
  private long grantedBeside;

  private long idleSubpageBytes;
  private int trimRoundSeen;
  final ByteSampler sampler;
  private long hugeBytesUntilSample;
  private long hugeSampleInterval;

  /** Shared: of a sample that the front end is to be told of. */
  private long sampledWeight;

  /** Written by the owner, read by snapshots, opaque. */
  long trims;

  /** The janitor's. */
  final CacheIdleState watch = new CacheIdleState();

  /** What the owner released of others' slots. */
  final RemoteReleases remoteReleases;

  ThreadCache(BufferPool pool, Arena arena, @Nullable Thread owner) {
    this.pool = pool;
    this.arena = arena;
    this.owner = owner;
    this.place = owner == null ? 0 : Rows.place(owner);
    this.hash = owner == null ? 0 : Threads.hash(owner);
    this.sizeClasses = pool.sizeClasses();
    this.largest = sizeClasses.bytes(sizeClasses.count() - 1);
    this.bins = new Bin[sizeClasses.count()];
    this.remoteReleases = new RemoteReleases(sizeClasses.count(), pool.settings().arenas());
    this.current = new SlotGroup[bins.length];
    Arrays.fill(current, pool.noGroup());
    this.trimRoundSeen = pool.trimRound();
    this.sampler = new ByteSampler(pool.sampling());
    drawHugeSample();
  }

  private void drawHugeSample() {
    hugeBytesUntilSample = sampler.next(ThreadLocalRandom.current());
    hugeSampleInterval = sampler.intervalBytes();
  }

  /**
   * Hands out a slot of at least {@code bytes} bytes.
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
      bin = newBin(sizeClass);
    }
    return bin.take(bytes);
  }

  /** Shared, and held: takes a slot, if one lies at hand; null otherwise. */
  @Nullable Object takeHeld(int sizeClass, int bytes) {
    SlotGroup group = current[sizeClass];
    return group.hasFree() && !givenUp ? group.take(bytes) : null;
  }

  /**
   * Shared: releases as the owner, where that is nothing but a push and nobody holds the lock.
   *
   * @param group one that this cache had at some time; it has it still unless it was given up
   */
  boolean tryRelease(SlotGroup group, int index) {
    if (!lock.tryAcquireWord()) {
      return false;
    }
    boolean released = false;
    try {
      released = !givenUp && group.releaseQuietly(index);
      lock.releaseWord();
    } catch (Throwable failed) {
      lock.held = false; // no call: there may be no stack, and others wait for it without end
      if (!released) {
        throw failed;
      }
    }
    return released;
  }

  private Object allocateHuge(int bytes) {
    if (hugeBytesUntilSample <= bytes) {
      StackRoom.require(); // a sample takes more than the extent, which would be lost
    }
    Run.Extent extent = pool.extents().allocate(bytes);
    Object object = extent.boundObject();
    hugeBytesUntilSample -= bytes;
    if (hugeBytesUntilSample <= 0) {
      long weight = sampler.weigh(bytes, hugeSampleInterval);
      drawHugeSample();
      if (weight != 0) {
        extent.group.unbind(0);
        sampled(object, bytes, weight);
      }
    }
    return object;
  }

  /**
   * Tells the front end of a sample: of a shared cache after its lock is given back, since what the
   * front end does then may have to wait for a thread that wants this cache.
   */
  void sampled(Object object, int bytes, long weight) {
    if (owner != null) {
      pool.sampled(object, bytes, weight, sampler);
    } else {
      sampledWeight = weight;
    }
  }

  /** Shared: what the sample that the last allocation drew stands for, or 0; once. */
  long takeSampledWeight() {
    long weight = sampledWeight;
    sampledWeight = 0;
    return weight;
  }

  private Bin newBin(int sizeClass) {
    Bin bin = new Bin(this, sizeClass);
    bins[sizeClass] = bin;
    current[sizeClass] = bin.current;
    return bin;
  }

  SlotGroup newRack(int sizeClass) {
    return SlotGroup.rack(pool, arena, sizeClass, sizeClasses.bytes(sizeClass), RACK_SLOTS);
  }

  SlotGroup newSubpage(Bin bin, int growthLog2) {
    int sizeClass = bin.sizeClass;
    int slotBytes = sizeClasses.bytes(sizeClass);
    int pages = sizeClasses.subpagePages(sizeClass, growthLog2);
    if (pages * pool.pageBytes() / slotBytes > RemoteWord.MAX_SLOTS) {
      pages = sizeClasses.subpagePages(sizeClass, 0); // pages are large already
    }
    pages = fitIntoRoom(sizeClass, pages);
    int slots = Math.min(RemoteWord.MAX_SLOTS, pages * pool.pageBytes() / slotBytes);
    SlotGroup subpage = SlotGroup.subpage(pool, arena, sizeClass, slotBytes, slots);
    subpage.becomeOwned(bin); // before it has memory, since this may fail
    subpage.cut(arena.takeRun(pages, subpage));
    return subpage;
  }

  /**
   * Makes a subpage as small as the first room that the chunks have for it, before it asks for a
   * new chunk. Another thread may take that room first: then it lies elsewhere, or in a new chunk.
   */
  private int fitIntoRoom(int sizeClass, int wanted) {
    int least = sizeClasses.leastSubpagePages(sizeClass);
    int room = least < wanted ? arena.roomFor(least, wanted) : 0;
    return room == 0 ? wanted : sizeClasses.subpagePagesWithin(sizeClass, room);
  }

  /** Whether a subpage without a slot in use may stay: up to a budget, or until the next trim. */
  boolean keepIdle(SlotGroup subpage) {
    if (subpage.idle) {
      return true; // a notice that was slow to come has us look twice
    }
    int bytes = subpage.slots * subpage.slotBytes();
    if (idleSubpageBytes + bytes > pool.idleSubpageBytes()) {
      return false;
    }
    subpage.idle = true;
    idleSubpageBytes += bytes;
    return true;
  }

  /** Takes a subpage out of the idle budget. */
  void markBusy(SlotGroup subpage) {
    if (subpage.idle) {
      subpage.idle = false;
      idleSubpageBytes -= (long) subpage.slots * subpage.slotBytes();
    }
  }

  /** Lets a bin cache one more run, if need be one that another bin does not use its grant for. */
  boolean grantRun(Bin bin) {
    if (!hasRunBudget(bin.slotBytes)) {
      for (Bin other : bins) {
        if (other != null && other != bin) {
          ungrantRuns(other);
        }
      }
      if (!hasRunBudget(bin.slotBytes)) {
        return false;
      }
    }
    grant(bin, 1);
    return true;
  }

  /**
   * Returns whether there is something of the budget that no bin has. Beside the budget there may
   * be one run that is larger, up to twice as large: among the others it would find no room, or
   * leave none. One run may be so large, too, if many threads share the memory limit.
   */
  boolean hasRunBudget(int bytes) {
    long budget = pool.runBudgetBytes();
    return isBesideBudget(bytes)
        ? grantedBeside == 0 && bytes <= 2 * budget
        : grantedRunBytes - grantedBeside + bytes <= budget
            || (grantedRunBytes == grantedBeside && bytes <= 2 * budget);
  }

  private boolean isBesideBudget(int bytes) {
    return bytes > pool.settings().runCacheBytesPerThread();
  }

  private void grant(Bin bin, long runs) {
    long bytes = runs * bin.slotBytes;
    boolean isBeside = isBesideBudget(bin.slotBytes);
    bin.mayCache += runs; // no call from here on: all of it or nothing
    grantedRunBytes += bytes;
    if (isBeside) {
      grantedBeside += bytes;
    }
  }

  /** Takes back what a bin may cache and does not. */
  void ungrantRuns(Bin bin) {
    if (!bin.isForRuns()) {
      return;
    }
    long unused = bin.mayCache - bin.cachedRuns();
    if (unused > 0) {
      bin.current.askAgain();
      grant(bin, -unused);
    }
  }

  /** Trims when the janitor has begun another round. */
  void trimIfDue() {
    int round = pool.trimRound();
    if (round != trimRoundSeen) {
      trimRoundSeen = round;
      trim();
      if (sampler.relax()) {
        drawSamples();
      }
      drawSamplesIfChanged();
    }
  }

  /** Draws anew for all classes where the mean is not the one that they were drawn with. */
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
    trims++;
    for (Bin bin : bins) {
      if (bin != null) {
        bin.trim();
      }
    }
  }

  /** Makes the calling thread the owner of all groups again, after the cache was suspended. */
  void resume() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.setOwner(owner);
      }
    }
  }

  /** By the owner: from now on it releases as any other thread does. */
  void disown() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.setOwner(null);
      }
    }
  }

  /**
   * Leaves all groups. By the owner, or after its death or in its sleep by who proved that. Where
   * this fails, calling it again goes on.
   */
  void leave() {
    for (Bin bin : bins) {
      if (bin != null) {
        bin.leave();
      }
    }
  }
}
