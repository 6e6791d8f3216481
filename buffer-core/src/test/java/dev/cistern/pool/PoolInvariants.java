/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.Region;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeClassStat;
import dev.cistern.stats.SizeGroup;
import dev.cistern.stats.UsageBand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A check of the invariants of a pool at rest: every page belongs to one run or is free, every slot
 * is free once or in use, and the statistics add up. Tests run it after each test.
 */
public final class PoolInvariants {
  private final BufferPool pool;
  private final Set<SlotGroup> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  // Bytes found in the structures, by arena. Free bytes are neither in use nor in a cache.
  private final long[] inUse;
  private final long[] cached;
  private final long[] free;
  private final long[] runBytes;
  private final long[] subpages;
  private final long[] cachedSlots;

  private PoolInvariants(BufferPool pool) {
    this.pool = pool;
    int arenas = pool.arenas.length;
    this.inUse = new long[arenas];
    this.cached = new long[arenas];
    this.free = new long[arenas];
    this.runBytes = new long[arenas];
    this.subpages = new long[arenas];
    this.cachedSlots = new long[pool.sizeClasses.count()];
  }

  /**
   * Checks a pool while no thread allocates or releases.
   *
   * @throws AssertionError with the violated invariant
   */
  public static void check(BufferPool pool) {
    pool.maintenance.lock.lock();
    pool.caches.lock.lock(); // so that no cache is made or retired
    try {
      new PoolInvariants(pool).check();
    } finally {
      pool.caches.lock.unlock();
      pool.maintenance.lock.unlock();
    }
  }

  static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("pool invariant broken: " + what);
    }
  }

  private void check() {
    List<ThreadCache> shared = pool.shared.all();
    shared.forEach(cache -> cache.lock.lock()); // or the maintenance thread trims them meanwhile
    try {
      pool.caches.live.forEach(this::checkCache); // also retiring caches
      shared.forEach(this::checkCache);
      for (Arena arena : pool.arenas) {
        checkArena(arena); // after the caches: their groups were checked
      }
      checkFigures(pool.snapshot(), cachedExtentBytes());
    } finally {
      shared.forEach(cache -> cache.lock.unlock());
    }
  }

  /** Compares a snapshot with the values found in the structures. */
  private void checkFigures(PoolSnapshot snapshot, long cachedExtentBytes) {
    for (Arena arena : pool.arenas) {
      checkFiguresOfArena(snapshot, arena.index);
    }
    long misses = 0;
    for (int sizeClass = 0; sizeClass < cachedSlots.length; sizeClass++) {
      String name = "cached slots of " + snapshot.sizeClassBytes(sizeClass) + " bytes";
      requireSame(name, snapshot.sizeClassCachedSlots(sizeClass), cachedSlots[sizeClass]);
      misses += snapshot.get(SizeClassStat.MISSES, sizeClass);
    }
    requireSame("misses", snapshot.threadCacheMisses(), misses);
    requireSame("pinned", snapshot.pinnedBytes(), sum(inUse) + snapshot.hugePinnedBytes());
    requireSame("cached", snapshot.cachedBytes(), sum(cached));
    requireSame("free", snapshot.freeBytes(), sum(free) + cachedExtentBytes);
    requireSame("cached extents", snapshot.hugeCachedBytes(), cachedExtentBytes);
    long reserved = Arrays.stream(pool.regions.all()).mapToLong(Region::bytes).sum();
    requireSame("reserved", snapshot.reservedBytes(), reserved);
  }

  private void checkFiguresOfArena(PoolSnapshot snapshot, int arena) {
    String of = " of arena " + arena;
    requireSame("pinned" + of, snapshot.arenaPinnedBytes(arena), inUse[arena]);
    for (SizeGroup group : List.of(SizeGroup.SMALL, SizeGroup.NORMAL)) {
      long active =
          snapshot.arenaAllocations(arena, group) - snapshot.arenaDeallocations(arena, group);
      require(active >= 0, "slots in use of group " + group + of + ": " + active);
    }
    requireSame("cached" + of, snapshot.get(ArenaStat.CACHED_BYTES, arena), cached[arena]);
    requireSame("runs" + of, snapshot.get(ArenaStat.RUN_BYTES, arena), runBytes[arena]);
    requireSame("subpages" + of, snapshot.get(ArenaStat.SUBPAGES, arena), subpages[arena]);
    requireSame(
        "reserved" + of,
        snapshot.arenaReservedBytes(arena),
        inUse[arena] + cached[arena] + free[arena]);
  }

  private long cachedExtentBytes() {
    long bytes = 0;
    for (Run.Extent extent = pool.extents.newest; extent != null; extent = extent.next) {
      bytes += extent.bytes();
    }
    return bytes;
  }

  private static long sum(long[] byArena) {
    return Arrays.stream(byArena).sum();
  }

  private static void requireSame(String figure, long shown, long found) {
    require(shown == found, figure + ": snapshot " + shown + ", counted " + found);
  }

  private void checkArena(Arena arena) {
    for (int i = 0; i < arena.chunks.size(); i++) {
      Chunk chunk = arena.chunks.get(i);
      UsageBand band = chunk.band();
      require(
          chunk.isEmpty() ? band == UsageBand.QINIT : band.next(chunk.usage()) == band,
          "chunk of usage " + chunk.usage() + " is in " + band.label());
      checkChunk(chunk);
      free[arena.index] += (long) chunk.freePages() * chunk.pageBytes;
    }
  }

  private void checkChunk(Chunk chunk) {
    int freePages = 0;
    int page = 0;
    while (page < chunk.pages) {
      SlotGroup group = chunk.groupAt(page);
      if (group == null) {
        require(chunk.isFree(page), "page " + page + " without a run is free");
        freePages++;
        page++;
        continue;
      }
      Run.Pages run = (Run.Pages) group.run();
      require(run.chunk == chunk && run.start == page, "a group knows its run");
      for (int p = page; p < page + run.count; p++) {
        require(!chunk.isFree(p), "page " + p + " of a run is in use");
        require(p == page || chunk.groupAt(p) == null, "runs do not overlap at page " + p);
      }
      checkRun(group, run);
      page += run.count;
    }
    require(
        freePages == chunk.freePages(),
        "free pages " + freePages + ", counted " + chunk.freePages());
  }

  private void checkRun(SlotGroup group, Run.Pages run) {
    require(!group.isFreed(), "a freed group has no run");
    require(!group.isReusable, "a group that has a run is not waiting for one");
    int arena = run.chunk.arena.index;
    require(group.arena == run.chunk.arena, "a group lies in its arena");
    boolean[] isFree = freeSlots(group);
    boolean[] isCached = seen.contains(group) ? ownFreeSlots(group) : new boolean[group.slots];
    runBytes[arena] += run.bytes();
    subpages[arena] += group.isSubpage() ? 1 : 0;
    free[arena] += run.bytes() - group.bytes();
    for (int index = 0; index < group.slots; index++) {
      countSlot(group, isFree[index], isCached[index]);
    }
  }

  /** Returns which slots are in the owner's list, each exactly once. */
  static boolean[] ownFreeSlots(SlotGroup group) {
    boolean[] free = new boolean[group.slots];
    markListed(group, free, group.head);
    return free;
  }

  /** Returns which slots are in the owner's list or in the remote list, each exactly once. */
  static boolean[] freeSlots(SlotGroup group) {
    boolean[] free = ownFreeSlots(group);
    int listed = markListed(group, free, group.remoteHead());
    require(listed == group.remoteCount(), "the remote count is the length of the remote list");
    return free;
  }

  private static int markListed(SlotGroup group, boolean[] listed, int first) {
    int count = 0;
    for (int next = first; next != 0; next = group.links[next]) {
      require(!listed[next - 1], "slot " + (next - 1) + " is free once");
      listed[next - 1] = true;
      count++;
    }
    return count;
  }

  private void countSlot(SlotGroup group, boolean isFree, boolean isCached) {
    long[] sum = isCached ? cached : isFree ? free : inUse;
    sum[group.arena.index] += group.slotBytes();
  }

  private void checkCache(ThreadCache cache) {
    for (@Nullable Bin bin : cache.bins) {
      if (bin != null) {
        long listed = checkBin(cache, bin);
        cachedSlots[bin.sizeClass] += listed;
        require(
            bin.counters.cachedSlots() == listed,
            "free slots of a bin " + listed + " are those counted " + bin);
      }
    }
    require(
        Arrays.equals(cache.idleBytes, idleBytes(cache)),
        "idle bytes "
            + Arrays.toString(idleBytes(cache))
            + ", counted "
            + Arrays.toString(cache.idleBytes));
  }

  /** Returns the bytes of the groups that are counted as idle, by kind. */
  private static long[] idleBytes(ThreadCache cache) {
    long[] bytes = new long[3];
    for (@Nullable Bin bin : cache.bins) {
      if (bin != null) {
        for (SlotGroup group : groups(bin)) {
          bytes[cache.kind(group)] += group.isIdle ? group.bytes() : 0;
          require(!group.isIdle || group.isWholeRun() || group != bin.current, "current is idle");
        }
      }
    }
    return bytes;
  }

  private static List<SlotGroup> groups(Bin bin) {
    List<SlotGroup> groups = new ArrayList<>();
    if (bin.current.slots != 0) {
      groups.add(bin.current);
    }
    for (GroupSet set : List.of(bin.available, bin.fullGroups)) {
      for (int place = 0; place < set.size(); place++) {
        SlotGroup group = set.get(place);
        require(group.set == set && group.place == place, "a group knows its set");
        groups.add(group);
      }
    }
    return groups;
  }

  /** Checks the groups of a bin; returns the free slots in their lists. */
  private long checkBin(ThreadCache cache, Bin bin) {
    require(bin.current.set == null, "the current group is in no set");
    require(cache.current[bin.sizeClass] == bin.current, "the table has the current group");
    require(
        !bin.current.isSubpage() || bin.current.fastReleasesLeft > bin.current.slots,
        "releases into the current subpage are fast");
    long listed = 0;
    for (SlotGroup group : groups(bin)) {
      listed += group.isFreed() ? 0 : checkGroup(cache, bin, group);
    }
    return listed;
  }

  private long checkGroup(ThreadCache cache, Bin bin, SlotGroup group) {
    require(seen.add(group), "a group is in one place");
    require(group.bin == bin, "a group knows its bin");
    require(
        group.owner == cache.owner || cache.idleState.isSuspended || cache.isRetiring,
        "a group knows its owner");
    boolean isWaiting = group.set == bin.fullGroups;
    require(!isWaiting || !group.hasFree(), "a group that waits for a notice has nothing free");
    require(
        !isWaiting || group.remoteState() != RemoteFreeList.OWNED,
        "a group that waits is marked full");
    require(
        !isWaiting
            || group.remoteState() != RemoteFreeList.FULL
            || group.remoteCount() < group.noticeAt,
        "a group that waits has fewer remote frees than its notice limit");
    freeSlots(group);
    int listed = group.countFree();
    require(
        group == bin.current || group.freeWhenNotCurrent() == listed,
        "free slots of a group that is not current "
            + listed
            + ", counted "
            + group.freeWhenNotCurrent());
    return listed;
  }
}
