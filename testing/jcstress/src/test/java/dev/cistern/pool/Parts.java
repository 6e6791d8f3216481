/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import java.nio.ByteBuffer;

/**
 * What one state of a case needs of the engine, made in about a microsecond: an arena, and the
 * cache of a thread that never runs, so that every release is a remote one. The settings that all
 * states share come from one pool, which allocates nothing itself.
 */
final class Parts {
  static final int PAGE = 4 << 10;
  static final int CHUNK = 32 * PAGE;

  /** Slots of two pages, four to a subpage. */
  static final int SMALL = 1;

  /** Runs of four pages. */
  static final int NORMAL = 3;

  static final BufferPool POOL = pool(1L << 20);

  /** Keeps no run: what is released remotely goes back to its chunk at once. */
  static final BufferPool WITHOUT_RUNS = pool(0);

  private static final Thread NOBODY = new Thread(() -> {}, "never started");

  private final BufferPool pool;
  final Arena arena;
  private final ThreadCache cache;

  Parts() {
    this(POOL);
  }

  Parts(BufferPool pool) {
    this.pool = pool;
    this.arena =
        new Arena(
            0, NoMemory.SOURCE, pool.settings(), pool.sizeClasses().smallCount(), 0, () -> false);
    this.cache = new ThreadCache(pool, arena, NOBODY);
  }

  /** A pool of four-slot subpages and small chunks; its memory has no bytes. */
  static BufferPool pool(long runCacheBytes) {
    return BufferPool.builder(MemoryKind.HEAP, NoMemory.SOURCE, new SlotNames())
        .arenas(1)
        .sharedCaches(1)
        .pageBytes(PAGE)
        .chunkBytes(CHUNK)
        .alignment(PAGE)
        .runCacheBytesPerThread(runCacheBytes)
        .janitor(false)
        .build();
  }

  ThreadCache sharedCache() {
    return new ThreadCache(pool, arena, null);
  }

  Bin bin(int sizeClass) {
    return new Bin(cache, sizeClass);
  }

  /** A subpage of a bin, set aside, every slot of it handed out. */
  SlotGroup subpage(Bin bin, int slots) {
    SlotGroup group = SlotGroup.subpage(pool, arena, SMALL, pool.sizeClasses().bytes(SMALL), slots);
    group.becomeOwned(bin);
    group.cut(arena.takeRun(pool.sizeClasses().runPages(SMALL), group));
    while (group.hasFree()) {
      group.pop();
    }
    group.becomeAside(0);
    return group;
  }

  /** A rack of a bin with a run in each place, every one handed out. */
  SlotGroup rack(Bin bin, int slots) {
    SlotGroup group = SlotGroup.rack(pool, arena, NORMAL, pool.sizeClasses().bytes(NORMAL), slots);
    group.becomeOwned(bin);
    for (int i = 0; i < slots; i++) {
      group.fill(arena.takeRun(pool.sizeClasses().runPages(NORMAL), group));
    }
    return group;
  }

  /** An extent with its object. */
  static Run.Extent extent(int bytes) {
    Run.Extent extent = new Run.Extent(POOL, NoMemory.SOURCE.allocate(bytes));
    extent.group.bound[0] = new SlotName(extent.group, 0);
    return extent;
  }

  Orphans orphans() {
    return arena.orphans[SMALL];
  }

  /** Runs of the group that have not gone back to their chunk. */
  int runsOf(SlotGroup group) {
    int runs = 0;
    for (SlotGroup withMemory : arena.groups()) {
      runs += withMemory == group ? 1 : 0;
    }
    return runs;
  }

  /** Free slots, on the stack or listed; -1 where one is there twice. */
  static int freeSlots(SlotGroup group) {
    try {
      int free = 0;
      for (boolean isFree : group.freeSlots()) {
        free += isFree ? 1 : 0;
      }
      return free;
    } catch (AssertionError twice) {
      return -1;
    }
  }

  /** Takes the notices that a bin has; returns how many. */
  static int notices(Bin bin) {
    int count = 0;
    for (Notice notice = bin.notices.takeAll(); notice != null; notice = notice.next) {
      count++;
    }
    return count;
  }

  static int bit(boolean value) {
    return value ? 1 : 0;
  }

  /** What a slot is bound to here. */
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
    public void rebind(Object bound, SlotGroup group, int index) {
      // the name of a slot stays when its memory changes
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      throw new AssertionError("sampling is off");
    }
  }

  /** Regions that nobody writes to, so that they need no memory. */
  private enum NoMemory implements MemorySource {
    SOURCE;

    @Override
    public Region allocate(int bytes) {
      return new Region(null, 0, ByteBuffer.allocate(0), bytes, null);
    }

    @Override
    public void free(Region region) {
      // there is nothing to free
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
