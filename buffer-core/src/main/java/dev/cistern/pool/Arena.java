/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.ChunkStats;
import dev.cistern.stats.UsageBand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An independent part of a pool: chunks under one lock, and the orphaned subpages of each class
 * under a lock per class. No thread calls the memory source under the arena's lock.
 */
final class Arena {
  private static final UsageBand[] BANDS = UsageBand.values();

  /** The number of chunks from which on subpages are cut to the free pages between other runs. */
  static final int FEW_CHUNKS = 8;

  final int index;
  final Orphans[] orphans;
  private final BufferPool pool;
  private final MemorySource source;
  private final int pageBytes;
  private final int chunkBytes;

  /** The maximum bytes of empty chunks that are kept until they decay, or one chunk. */
  private final long keptBytes;

  /**
   * The lock that a thread holds while it requests a chunk. Acquired before {@link #lock}. Only
   * threads that also need a chunk wait for the memory source.
   */
  private final ReentrantLock growth = new ReentrantLock();

  /**
   * The lock that guards every field below except {@link #threadCaches}, and the fields of the
   * arena's chunks.
   */
  final ReentrantLock lock = new ReentrantLock();

  final ChunksByAge chunks = new ChunksByAge();
  private int emptyChunks;
  private long lockWaits;
  private long chunkAllocations;
  private long chunkDeallocations;
  private long runBytes;
  private long subpages;

  /** Number of thread caches of this arena. Guarded by the lock of {@link ThreadCaches}. */
  int threadCaches;

  Arena(int index, BufferPool pool, MemorySource source, long keptBytes) {
    this.index = index;
    this.pool = pool;
    this.source = source;
    this.pageBytes = pool.settings().pageBytes();
    this.chunkBytes = pool.settings().chunkBytes();
    this.keptBytes = keptBytes;
    int classes = pool.sizeClasses.subpageCount();
    this.orphans = new Orphans[classes];
    for (int sizeClass = 0; sizeClass < classes; sizeClass++) {
      orphans[sizeClass] = new Orphans();
    }
    Failures.rethrow(null); // loads the class, for which there may be no memory later
  }

  private void lock() {
    if (!lock.tryLock()) {
      OomRetry.lock(lock);
      lockWaits++;
    }
  }

  // ---- runs

  /**
   * Takes a run and makes it a group of a bin: a subpage, or a whole run if it has one slot.
   *
   * @throws OutOfMemoryError if a new chunk is needed and the source refuses
   */
  SlotGroup takeRun(Bin owner, int pages, int slots) {
    SlotGroup group = tryTakeRun(owner, pages, slots, null);
    if (group != null) {
      return group;
    }
    OomRetry.lock(growth);
    try {
      group = tryTakeRun(owner, pages, slots, null); // from a chunk that another thread added
      return group != null ? group : takeFromNewChunk(owner, pages, slots);
    } finally {
      growth.unlock();
    }
  }

  private SlotGroup takeFromNewChunk(Bin owner, int pages, int slots) {
    Region region = source.allocate(chunkBytes);
    Chunk chunk = null;
    SlotGroup group;
    try {
      chunk = new Chunk(this, region, pageBytes);
      group = tryTakeRun(owner, pages, slots, chunk);
    } catch (Throwable failed) {
      if (chunk == null || chunk.place < 0) { // otherwise the arena has it
        source.free(region);
      }
      throw failed;
    }
    if (group == null) {
      throw new AssertionError("no " + pages + " pages in an empty chunk of " + chunk.pages);
    }
    return group;
  }

  /**
   * Takes a run, or returns null if no chunk has one.
   *
   * @param added a chunk to add first, or null
   */
  private @Nullable SlotGroup tryTakeRun(Bin owner, int pages, int slots, @Nullable Chunk added) {
    lock();
    try {
      if (added != null) {
        chunks.add(added); // may fail: then nothing has changed
        emptyChunks++;
        chunkAllocations++;
      }
      Run.Pages run = chunks.find(pages);
      if (run == null) {
        return null;
      }
      Chunk chunk = run.chunk;
      boolean wasEmpty = chunk.isEmpty();
      SlotGroup group = slots == 1 ? chunk.reusable(run, owner.sizeClass) : null;
      if (group != null) {
        group.reuse(owner);
      } else {
        BinCounters of = owner.counters;
        group = SlotGroup.make(pool, this, of.sizeClass, of.slotBytes, slots);
        group.becomeOwned(owner);
        group.cut(run);
      }
      chunk.take(run, group);
      group.hasRun = true;
      chunks.update(chunk);
      runBytes += run.bytes();
      subpages += group.isSubpage() ? 1 : 0;
      emptyChunks -= wasEmpty ? 1 : 0;
      return group;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the pages, up to {@code most}, of the first run of {@code least} or more; 0 if none is
   * free. With few chunks it always returns {@code most}: the time cost of small subpages would
   * outweigh the memory that they save.
   */
  int roomFor(int least, int most) {
    lock();
    try {
      return chunks.size() < FEW_CHUNKS ? most : chunks.roomFor(least, most);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees the run of a freed group, if the group still has it. If the chunk is then empty and is
   * not kept, frees the chunk, too, outside of the lock.
   *
   * @param isReusable whether the group can be reused for the same run: no other thread refers to
   *     it
   */
  void freeRun(SlotGroup group, boolean isReusable) {
    Chunk emptied = null;
    lock();
    try {
      Run.Pages run = (Run.Pages) group.run();
      if (group.isFreed() && run.chunk.has(run, group)) {
        group.hasRun = false;
        group.isReusable = isReusable && group.isWholeRun();
        emptied = freeLocked(run, group);
      }
    } finally {
      lock.unlock();
    }
    if (emptied != null) {
      source.free(emptied.region);
    }
  }

  private @Nullable Chunk freeLocked(Run.Pages run, SlotGroup group) {
    Chunk chunk = run.chunk;
    chunk.give(run, group);
    chunks.update(chunk);
    runBytes -= run.bytes();
    subpages -= group.isSubpage() ? 1 : 0;
    if (!chunk.isEmpty()) {
      return null;
    }
    emptyChunks++;
    chunk.emptySinceNanos = System.nanoTime();
    if (pool.maintenance.isReclaiming() || !isKept()) {
      retire(chunk);
      return chunk;
    }
    return null;
  }

  /** Returns whether all empty chunks are kept. Reusing their pages causes no page fault. */
  private boolean isKept() {
    return keptBytes == Long.MAX_VALUE
        || emptyChunks == 1
        || (long) emptyChunks * chunkBytes <= keptBytes;
  }

  // ---- empty chunks

  /** Removes an empty chunk, which the caller then frees. */
  private void retire(Chunk chunk) {
    chunks.remove(chunk);
    emptyChunks--;
    chunkDeallocations++;
  }

  /** Frees the chunks that have been empty for {@code decayNanos} or longer. */
  void releaseIdleChunks(long decayNanos) {
    Chunk idle = null; // a linked list, which needs no memory
    lock();
    try {
      long nowNanos = System.nanoTime();
      for (int i = chunks.size() - 1; i >= 0; i--) {
        Chunk chunk = chunks.get(i);
        if (chunk.isEmpty() && nowNanos - chunk.emptySinceNanos >= decayNanos) {
          retire(chunk);
          chunk.next = idle;
          idle = chunk;
        }
      }
    } finally {
      lock.unlock();
    }
    Throwable failed = null;
    for (Chunk chunk = idle; chunk != null; chunk = chunk.next) {
      try { // only this thread has these chunks: a failure must not leak the remaining ones
        source.free(chunk.region);
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /**
   * Frees one empty chunk of any of {@code arenas}, without waiting for another thread.
   *
   * @return whether there was one
   */
  static boolean tryFreeChunk(Arena[] arenas) {
    for (Arena arena : arenas) {
      Chunk empty = arena.tryTakeEmpty();
      if (empty != null) {
        arena.source.free(empty.region);
        return true;
      }
    }
    return false;
  }

  private @Nullable Chunk tryTakeEmpty() {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      for (int i = emptyChunks == 0 ? -1 : chunks.size() - 1; i >= 0; i--) {
        Chunk chunk = chunks.get(i);
        if (chunk.isEmpty()) {
          retire(chunk);
          return chunk;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a thread holds this arena's lock, or requests a chunk for it. */
  boolean isLocked() {
    return lock.isLocked() || growth.isLocked();
  }

  // ---- statistics

  /** Returns the groups that have a run of this arena. */
  List<SlotGroup> groups() {
    List<SlotGroup> groups = new ArrayList<>();
    lock();
    try {
      for (int i = 0; i < chunks.size(); i++) {
        Chunk chunk = chunks.get(i);
        for (int page = 0; page < chunk.pages; page++) {
          SlotGroup group = chunk.groupAt(page);
          if (group != null) {
            groups.add(group);
          }
        }
      }
    } finally {
      lock.unlock();
    }
    return groups;
  }

  /** Returns the chunks, from the emptiest band to the full one. */
  List<ChunkStats> chunkStats() {
    List<ChunkStats> stats = new ArrayList<>();
    lock();
    try {
      for (int i = 0; i < chunks.size(); i++) {
        Chunk chunk = chunks.get(i);
        int freeBytes = chunk.freePages() * pageBytes;
        stats.add(new ChunkStats(chunk.band(), chunk.usage(), chunkBytes, freeBytes));
      }
    } finally {
      lock.unlock();
    }
    stats.sort(Comparator.comparing(ChunkStats::band));
    return stats;
  }

  /**
   * Lists chunks for a map, from the emptiest band to the full one, up to the length of {@code
   * cells}. Allocates no memory while it holds the lock.
   *
   * @return the number of chunks of the arena
   */
  int listChunks(int[] cells) {
    lock();
    try {
      int listed = 0;
      for (UsageBand band : BANDS) {
        for (int i = 0; i < chunks.size() && listed < cells.length; i++) {
          Chunk chunk = chunks.get(i);
          if (chunk.band() == band) {
            cells[listed++] = ChunkMap.cell(band, chunk.usage());
          }
        }
      }
      return chunks.size();
    } finally {
      lock.unlock();
    }
  }

  /** Sets this arena's statistics in a snapshot. */
  void report(SnapshotBuilder snapshot) {
    lock();
    try {
      snapshot.set(ArenaStat.RESERVED_BYTES, index, (long) chunks.size() * chunkBytes);
      snapshot.set(ArenaStat.LOCK_WAITS, index, lockWaits);
      snapshot.set(ArenaStat.CHUNK_ALLOCATIONS, index, chunkAllocations);
      snapshot.set(ArenaStat.CHUNK_DEALLOCATIONS, index, chunkDeallocations);
      snapshot.set(ArenaStat.SUBPAGES, index, subpages);
      snapshot.set(ArenaStat.RUN_BYTES, index, runBytes);
      for (int i = 0; i < chunks.size(); i++) {
        UsageBand band = chunks.get(i).band();
        snapshot.add(ArenaStat.chunks(band), index, 1);
      }
    } finally {
      lock.unlock();
    }
  }
}
