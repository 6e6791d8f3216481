/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.ChunkFigures;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.PoolSnapshot;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a pool at rest is as it must be: every page belongs to one run or is free, every slot
 * is free once or in use, chunks are in the band of their usage, and the figures add up. Tests run
 * it after each test.
 */
public final class PoolInvariants {
  /** Sees every run that is in use. */
  interface RunVisitor {
    void run(SlotGroup group, Chunk chunk, int startPage, int pages);
  }

  private final BufferPool pool;
  private final Set<SlotGroup> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  // What the structures hold, by arena; free is what is neither in use nor in a cache.
  private final long[] inUse;
  private final long[] cached;
  private final long[] free;
  private final long[] runBytes;
  private final long[] subpages;
  private final long[] cachedSlots;

  private PoolInvariants(BufferPool pool) {
    this.pool = pool;
    int arenas = pool.arenas().length;
    this.inUse = new long[arenas];
    this.cached = new long[arenas];
    this.free = new long[arenas];
    this.runBytes = new long[arenas];
    this.subpages = new long[arenas];
    this.cachedSlots = new long[pool.sizeClasses().count()];
  }

  /**
   * Checks a pool that no thread is allocating from or releasing to.
   *
   * @throws AssertionError naming what is not as it must be
   */
  public static void check(BufferPool pool) {
    pool.upkeep.lock();
    try {
      pool.threadCaches().whileNoneComesOrGoes(() -> new PoolInvariants(pool).check());
    } finally {
      pool.upkeep.unlock();
    }
  }

  static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("pool invariant broken: " + what);
    }
  }

  private void check() {
    List<ThreadCache> shared = pool.sharedCaches();
    shared.forEach(cache -> cache.lock.lock()); // or the janitor would trim them meanwhile
    try {
      pool.ownedCaches().forEach(this::checkCache);
      shared.forEach(this::checkCache);
      for (Arena arena : pool.arenas()) {
        arena.check(this::checkRun); // after the caches: what lies in one of them was seen
        for (ChunkFigures chunk : arena.chunkFigures()) {
          free[arena.index] += chunk.freeBytes();
        }
      }
      checkFigures(pool.snapshot(), pool.extents().check());
    } finally {
      shared.forEach(cache -> cache.lock.unlock());
    }
  }

  /** Compares a snapshot with what was found, so that no sum holds by its own definition. */
  private void checkFigures(PoolSnapshot snapshot, long cachedExtentBytes) {
    for (Arena arena : pool.arenas()) {
      checkFiguresOfArena(snapshot, arena.index);
    }
    long misses = 0;
    for (int sizeClass = 0; sizeClass < cachedSlots.length; sizeClass++) {
      String name = "cached slots of " + snapshot.sizeClassBytes(sizeClass) + " bytes";
      requireSame(name, snapshot.sizeClassCachedSlots(sizeClass), cachedSlots[sizeClass]);
      misses += snapshot.get(ClassFigure.MISSES, sizeClass);
    }
    requireSame("misses", snapshot.threadCacheMisses(), misses);
    requireSame("pinned", snapshot.pinnedBytes(), sum(inUse) + snapshot.hugePinnedBytes());
    requireSame("cached", snapshot.cachedBytes(), sum(cached));
    requireSame("free", snapshot.freeBytes(), sum(free) + cachedExtentBytes);
    requireSame("cached extents", snapshot.hugeCachedBytes(), cachedExtentBytes);
    requireSame("reserved", snapshot.reservedBytes(), pool.bytesOfRegions());
  }

  private void checkFiguresOfArena(PoolSnapshot snapshot, int arena) {
    String of = " of arena " + arena;
    requireSame("pinned" + of, snapshot.arenaPinnedBytes(arena), inUse[arena]);
    requireSame("cached" + of, snapshot.get(ArenaFigure.CACHED_BYTES, arena), cached[arena]);
    requireSame("runs" + of, snapshot.get(ArenaFigure.RUN_BYTES, arena), runBytes[arena]);
    requireSame("subpages" + of, snapshot.get(ArenaFigure.SUBPAGES, arena), subpages[arena]);
    requireSame(
        "reserved" + of,
        snapshot.arenaReservedBytes(arena),
        inUse[arena] + cached[arena] + free[arena]);
  }

  private static long sum(long[] byArena) {
    return Arrays.stream(byArena).sum();
  }

  private static void requireSame(String figure, long shown, long found) {
    require(shown == found, figure + ": the snapshot says " + shown + ", there are " + found);
  }

  /** Checks the pages of a chunk; returns the bytes of its runs. */
  static long checkChunk(Chunk chunk, RunVisitor visitor) {
    int freePages = 0;
    int page = 0;
    while (page < chunk.pages) {
      SlotGroup group = chunk.groupAt[page];
      if (group == null) {
        require(chunk.isFree(page), "page " + page + " without a run is free");
        freePages++;
        page++;
        continue;
      }
      int pages =
          group.runs[0] instanceof Run.Pages run && group.isSubpage()
              ? run.count
              : group.pool.sizeClasses().runPages(group.sizeClass);
      for (int p = page; p < page + pages; p++) {
        require(!chunk.isFree(p), "page " + p + " of a run is in use");
        require(p == page || chunk.groupAt[p] == null, "runs do not overlap at page " + p);
      }
      visitor.run(group, chunk, page, pages);
      page += pages;
    }
    require(
        freePages == chunk.freePages(),
        "free pages " + freePages + ", counted " + chunk.freePages());
    return (long) (chunk.pages - freePages) * chunk.pageBytes;
  }

  private void checkRun(SlotGroup group, Chunk chunk, int startPage, int pages) {
    require(!group.isDead(), "a dead group has no run");
    int arena = chunk.arena.index;
    require(group.arena == chunk.arena, "a group lies in its arena");
    boolean[] isFree = group.freeSlots();
    boolean[] isCached = seen.contains(group) ? group.ownFreeSlots() : new boolean[group.slots];
    long bytes = (long) pages * chunk.pageBytes;
    runBytes[arena] += bytes;
    if (group.isSubpage()) {
      subpages[arena]++;
      free[arena] += bytes - (long) group.slots * group.slotBytes();
      for (int index = 0; index < group.slots; index++) {
        countSlot(group, isFree[index], isCached[index]);
      }
      return;
    }
    for (int index = 0; index < group.slots; index++) {
      if (group.runs[index] instanceof Run.Pages run
          && run.chunk == chunk
          && run.start == startPage) {
        require(run.count == pages, "a run is as long as its class");
        free[arena] += bytes - group.slotBytes();
        countSlot(group, isFree[index], isCached[index]);
        return;
      }
    }
    throw new AssertionError("pool invariant broken: no place of the rack holds the run");
  }

  private void countSlot(SlotGroup group, boolean isFree, boolean isCached) {
    long[] sum = isCached ? cached : isFree ? free : inUse;
    sum[group.arena.index] += group.slotBytes();
  }

  private void checkCache(ThreadCache cache) {
    long runBytes = 0;
    for (@Nullable Bin bin : cache.bins) {
      if (bin != null) {
        long listed = checkBin(cache, bin);
        cachedSlots[bin.sizeClass] += listed;
        require(
            bin.slotsTaken + bin.releases - bin.allocations() == listed,
            "free slots of a bin " + listed + " are those counted " + bin);
        if (bin.isForRuns()) {
          runBytes += bin.mayCache * bin.slotBytes;
          require(listed <= bin.mayCache + 1, "free runs " + listed + ", allowed " + bin.mayCache);
        }
      }
    }
    require(
        runBytes == cache.grantedRunBytes,
        "runs that may be cached " + runBytes + ", counted " + cache.grantedRunBytes);
  }

  /** Free slots in the lists of a bin's groups. */
  private long checkBin(ThreadCache cache, Bin bin) {
    require(bin.current.list == null, "the current group is in no list");
    long listed = checkGroup(cache, bin, bin.current);
    for (GroupList list : List.of(bin.available, bin.vacant)) {
      for (SlotGroup group = list.first(); group != null; group = group.nextInList) {
        listed += checkAside(cache, bin, group, list);
      }
    }
    for (int i = 0; i < bin.parked.size(); i++) {
      listed += checkAside(cache, bin, bin.parked.get(i), bin.parked);
    }
    return listed;
  }

  private long checkAside(ThreadCache cache, Bin bin, SlotGroup group, GroupSet list) {
    require(group.list == list, "a group knows its list");
    return group.isDead() ? 0 : checkGroup(cache, bin, group);
  }

  private long checkGroup(ThreadCache cache, Bin bin, SlotGroup group) {
    require(seen.add(group), "a group is in one place");
    require(group.bin == bin, "a group knows its bin");
    require(group.owner == cache.owner || cache.watch.suspended, "a group knows its owner");
    boolean isWaiting = group.list == bin.parked || group.list == bin.vacant;
    require(!isWaiting || !group.hasFree(), "a group that waits for a notice has nothing free");
    require(
        !isWaiting || group.remoteState() != RemoteWord.OWNED, "a group that waits is marked full");
    require(!isWaiting || !group.hasUnannounced(), "a group that waits says when enough is back");
    group.freeSlots();
    int listed = group.countFree();
    require(
        group.isRack() || group == bin.current || group.freeAside() == listed,
        "free slots of a subpage set aside " + listed + ", counted " + group.freeAside());
    return listed;
  }
}
