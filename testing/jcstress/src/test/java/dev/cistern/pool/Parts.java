/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The parts of the engine that one state of a case needs, made in about a microsecond: an arena,
 * and the cache of a thread that never runs, so that every release is a remote release. One pool,
 * which allocates nothing itself, provides the settings of all states.
 */
final class Parts {
  static final int PAGE = 4 << 10;
  static final int CHUNK = 32 * PAGE;

  /** Slots of two pages, four in a subpage. */
  static final int SMALL = 1;

  /** Runs of four pages. */
  static final int NORMAL = 3;

  static final BufferPool POOL = pool(1L << 20);

  /** A pool that keeps no run: a released run is freed at once. */
  static final BufferPool WITHOUT_RUNS = pool(0);

  private static final Thread NOBODY = new Thread(() -> {}, "never started");
  private static final Thread OTHER = new Thread(() -> {}, "never started");

  private final BufferPool pool;
  final Arena arena;
  private final ThreadCache cache;

  Parts() {
    this(POOL);
  }

  Parts(BufferPool pool) {
    this.pool = pool;
    this.arena = new Arena(0, pool, NoMemory.SOURCE, 0);
    this.cache = cache(NOBODY);
  }

  /** A pool of four-slot subpages and small chunks; its memory has no bytes. */
  static BufferPool pool(long idleBytes) {
    return BufferPool.builder(MemoryKind.HEAP, NoMemory.SOURCE, new SlotNames())
        .arenas(1)
        .sharedCaches(1)
        .pageBytes(PAGE)
        .chunkBytes(CHUNK)
        .alignment(PAGE)
        .idleBytesPerThread(idleBytes)
        .maintenanceThread(false)
        .build();
  }

  ThreadCache sharedCache() {
    return cache(null);
  }

  /** Makes a cache with its own bins and counters. */
  ThreadCache cache(@Nullable Thread owner) {
    CacheCounters counters = new CacheCounters(arena, 1, pool.sizeClasses, null);
    return new ThreadCache(pool, counters, owner);
  }

  Bin bin(int sizeClass) {
    return new Bin(cache, sizeClass);
  }

  /** Returns a bin of another thread. */
  Bin otherBin(int sizeClass) {
    return new Bin(cache(OTHER), sizeClass);
  }

  /** Returns a subpage of a bin that is not current, with every slot in use. */
  SlotGroup subpage(Bin bin, int slots) {
    SlotGroup group = arena.takeRun(bin, pool.sizeClasses.runPages(SMALL), slots);
    while (group.hasFree()) {
      group.pop();
    }
    group.markNotCurrent(0);
    return group;
  }

  Orphans orphans() {
    return arena.orphans[SMALL];
  }

  /** Returns 1 if the group has its run, 0 if the run is freed. */
  int runsOf(SlotGroup group) {
    return bit(arena.groups().contains(group));
  }

  /** Returns the slots in use of all groups that have memory; -1 if a slot is free twice. */
  int slotsInUse() {
    int used = 0;
    for (SlotGroup group : arena.groups()) {
      int free = freeSlots(group);
      if (free < 0) {
        return -1;
      }
      used += group.slots - free;
    }
    return used;
  }

  /** Returns the number of pages that the chunks count as in use. */
  int pagesInUse() {
    int pages = 0;
    for (int i = 0; i < arena.chunks.size(); i++) {
      Chunk chunk = arena.chunks.get(i);
      pages += chunk.pages - chunk.freePages();
    }
    return pages;
  }

  /** Reports groups that have memory, slots in use, pages in use. */
  void report(III_Result result) {
    result.r1 = arena.groups().size();
    result.r2 = slotsInUse();
    result.r3 = pagesInUse();
  }

  /** Reports the same, and one more number. */
  void report(IIII_Result result, int more) {
    result.r1 = arena.groups().size();
    result.r2 = slotsInUse();
    result.r3 = pagesInUse();
    result.r4 = more;
  }

  /** Frees all runs of a bin that are not in use. */
  static void trimAll(Bin bin) {
    for (int i = 0; i < 3; i++) {
      bin.trim();
    }
  }

  /** Takes a slot of a bin, as its owner. */
  static SlotName take(Bin bin) {
    return (SlotName) bin.take(1);
  }

  /** Releases a slot as the owner of its group: the calling thread acts as the owner. */
  static void releaseAsOwner(SlotName slot) {
    SlotGroup group = slot.group();
    if (!group.tryReleaseFast(slot.index())) {
      group.bin.releaseSlow(group, slot.index());
    }
  }

  /** Returns the slots in the owner's and the remote list; -1 if a slot is listed twice. */
  static int freeSlots(SlotGroup group) {
    try {
      int free = 0;
      for (boolean isFree : PoolInvariants.freeSlots(group)) {
        free += isFree ? 1 : 0;
      }
      return free;
    } catch (AssertionError twice) {
      return -1;
    }
  }

  /** Takes the notices of a bin; returns their number. */
  static int notices(Bin bin) {
    int count = 0;
    for (RemoteFreeNotice notice = bin.notices.takeAll(); notice != null; notice = notice.next) {
      count++;
    }
    return count;
  }

  static int bit(boolean value) {
    return value ? 1 : 0;
  }

  /** The object that is bound to a slot here. */
  record SlotName(SlotGroup group, int index) {
    void release() {
      group.release(index);
    }
  }

  private static final class SlotNames implements SlotBinder {
    @Override
    public Object bind(SlotGroup group, int index) {
      return new SlotName(group, index);
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      throw new AssertionError("sampling is off");
    }
  }

  /** Regions that no thread writes to, so that they need no memory. */
  private enum NoMemory implements MemorySource {
    SOURCE;

    @Override
    public Region allocate(int bytes) {
      return new Region(null, 0, ByteBuffer.allocate(0), bytes, null);
    }

    @Override
    public void free(Region region) {
      // the region has no memory
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public long limitBytes() {
      return Long.MAX_VALUE;
    }
  }
}
