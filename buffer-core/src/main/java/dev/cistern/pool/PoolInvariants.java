/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.PoolSnapshot;
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
  private long slotBytesInUse;

  private PoolInvariants(BufferPool pool) {
    this.pool = pool;
  }

  /**
   * Checks a pool that no thread is allocating from or releasing to.
   *
   * @throws AssertionError naming what is not as it must be
   */
  public static void check(BufferPool pool) {
    pool.upkeep.lock();
    try {
      new PoolInvariants(pool).check();
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
    for (Arena arena : pool.arenas()) {
      arena.check(this::checkRun);
    }
    pool.extents().check();
    pool.ownedCaches().forEach(this::checkCache);
    pool.sharedCaches().forEach(this::checkCache);
    PoolSnapshot snapshot = pool.snapshot();
    long sum = snapshot.pinnedBytes() + snapshot.cachedBytes() + snapshot.freeBytes();
    require(
        sum == snapshot.reservedBytes(),
        "reserved " + snapshot.reservedBytes() + " = pinned + cached + free " + sum);
    require(
        snapshot.pinnedBytes() == slotBytesInUse + snapshot.hugePinnedBytes(),
        "pinned " + snapshot.pinnedBytes() + " = slots in use " + slotBytesInUse + " + huge");
  }

  /** Checks the pages of a chunk; returns the bytes of its runs. */
  static long checkChunk(Chunk chunk, RunVisitor visitor) {
    int free = 0;
    int page = 0;
    while (page < chunk.pages) {
      SlotGroup group = chunk.groupAt[page];
      if (group == null) {
        require(chunk.isFree(page), "page " + page + " without a run is free");
        free++;
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
    require(free == chunk.freePages(), "free pages " + free + ", counted " + chunk.freePages());
    return (long) (chunk.pages - free) * chunk.pageBytes;
  }

  private void checkRun(SlotGroup group, Chunk chunk, int startPage, int pages) {
    require(!group.isDead(), "a dead group has no run");
    boolean[] free = group.freeSlots();
    if (group.isSubpage()) {
      for (boolean isFree : free) {
        slotBytesInUse += isFree ? 0 : group.slotBytes();
      }
      return;
    }
    for (int index = 0; index < group.slots; index++) {
      if (group.runs[index] instanceof Run.Pages run
          && run.chunk == chunk
          && run.start == startPage) {
        require(run.count == pages, "a run is as long as its class");
        slotBytesInUse += free[index] ? 0 : group.slotBytes();
        return;
      }
    }
    throw new AssertionError("pool invariant broken: no place of the rack holds the run");
  }

  private void checkCache(ThreadCache cache) {
    long runBytes = 0;
    for (@Nullable Bin bin : cache.bins) {
      if (bin != null) {
        long free = checkBin(cache, bin);
        require(
            bin.slotsTaken + bin.releases - bin.allocations() == free,
            "free slots of a bin " + free + " are those counted " + bin);
        if (bin.isForRuns()) {
          runBytes += bin.mayCache * bin.slotBytes;
          require(free <= bin.mayCache + 1, "free runs " + free + ", allowed " + bin.mayCache);
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
    long free = checkGroup(cache, bin, bin.current);
    for (GroupList list : List.of(bin.available, bin.vacant)) {
      for (SlotGroup group = list.first(); group != null; group = group.nextInList) {
        free += checkAside(cache, bin, group, list);
      }
    }
    for (int i = 0; i < bin.parked.size(); i++) {
      free += checkAside(cache, bin, bin.parked.get(i), bin.parked);
    }
    return free;
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
    int free = group.countFree();
    require(
        group.isRack() || group == bin.current || group.freeAside() == free,
        "free slots of a subpage set aside " + free + ", counted " + group.freeAside());
    return free;
  }
}
