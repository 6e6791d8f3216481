/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.ChunkFigures;
import dev.cistern.stats.ChunkMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An independent part of a pool: chunks in usage bands under one lock (seed rows A1, A4), and the
 * orphaned subpages of each small class under a lock per class (A5).
 */
final class Arena {
  private static final Band[] BANDS = Band.values();

  /** From so many chunks on, subpages are cut to the room between other runs. */
  static final int FEW_CHUNKS = 8;

  final int index;
  final Orphans[] orphans;
  private final MemorySource source;
  private final int pageBytes;
  private final int chunkBytes;

  /** Empty chunks that are kept until they decay take up to so many bytes; one is always kept. */
  private final long keptBytes;

  /** Whether the calling thread returns memory of idle threads: then no empty chunk is kept. */
  private final BooleanSupplier isMaintenance;

  /** Guards every field below and the fields of the arena's chunks. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ChunkList[] bands = new ChunkList[BANDS.length];
  private final ChunksByAge byAge = new ChunksByAge();
  private int chunks;
  private long lockWaits;
  private long chunkAllocations;
  private long chunkDeallocations;
  private long runBytes;
  private long subpages;

  /** Called before each run that is given back: tests have that fail. */
  Runnable beforeGiving = () -> {};

  /** Thread caches that draw from here; guarded by the lock of {@link ThreadCaches}. */
  int threadCaches;

  Arena(
      int index,
      MemorySource source,
      PoolSettings settings,
      int smallClasses,
      long keptBytes,
      BooleanSupplier isMaintenance) {
    this.index = index;
    this.source = source;
    this.pageBytes = settings.pageBytes();
    this.chunkBytes = settings.chunkBytes();
    this.keptBytes = keptBytes;
    this.isMaintenance = isMaintenance;
    for (Band band : BANDS) {
      bands[band.ordinal()] = new ChunkList(band);
    }
    this.orphans = new Orphans[smallClasses];
    for (int sizeClass = 0; sizeClass < smallClasses; sizeClass++) {
      orphans[sizeClass] = new Orphans();
    }
    Failures.rethrow(null); // loads the class: where it is wanted, there may be no memory for that
  }

  private void lock() {
    if (!lock.tryLock()) {
      OomRetry.lock(lock);
      lockWaits++;
    }
  }

  /**
   * Takes a run for a group.
   *
   * @throws OutOfMemoryError when a new chunk is needed and the source refuses
   */
  Run.Pages takeRun(int pages, SlotGroup group) {
    lock();
    try {
      Run.Pages run = byAge.take(pages, group);
      if (run == null) {
        run = takeFromNewChunk(pages, group);
      }
      runBytes += run.bytes();
      if (group.isSubpage()) {
        subpages++;
      }
      relist(run.chunk);
      return run;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pages, up to {@code most}, of the first run of {@code least} or more; 0 where none is free.
   * With few chunks always {@code most}: small subpages cost more time than these can lose memory.
   */
  int roomFor(int least, int most) {
    lock();
    try {
      return chunks < FEW_CHUNKS ? most : byAge.roomFor(least, most);
    } finally {
      lock.unlock();
    }
  }

  private Run.Pages takeFromNewChunk(int pages, SlotGroup group) {
    byAge.reserve();
    Region region = source.allocate(chunkBytes);
    Chunk chunk;
    try {
      chunk = new Chunk(this, region, pageBytes);
    } catch (Throwable failed) {
      source.free(region);
      throw failed;
    }
    chunk.emptySinceNanos = System.nanoTime();
    chunks++;
    chunkAllocations++;
    bands[Band.QINIT.ordinal()].add(chunk);
    byAge.add(chunk);
    Run.Pages run = chunk.take(pages, group);
    if (run == null) {
      throw new AssertionError("no " + pages + " pages in an empty chunk of " + chunk.pages);
    }
    return run;
  }

  /**
   * Frees the run of a place, if it has one. If that leaves a chunk empty which is not kept, the
   * chunk goes back to the source, outside the lock. If this fails before it has the lock, the run
   * is still in its place.
   */
  void giveRun(SlotGroup group, int index) {
    beforeGiving.run();
    Chunk emptied = null;
    lock();
    try {
      Run.Pages run = group.letGo(index);
      if (run != null) {
        emptied = giveLocked(run);
      }
    } finally {
      lock.unlock();
    }
    if (emptied != null) {
      source.free(emptied.region);
    }
  }

  private @Nullable Chunk giveLocked(Run.Pages run) {
    Chunk chunk = run.chunk;
    SlotGroup group = chunk.groupAt[run.start];
    if (group != null && group.isSubpage()) {
      subpages--;
    }
    chunk.give(run);
    byAge.update(chunk);
    runBytes -= run.bytes();
    if (!chunk.isEmpty()) {
      relist(chunk);
      return null;
    }
    bands[chunk.band.ordinal()].remove(chunk);
    if (isMaintenance.getAsBoolean() || !isKept()) {
      retire(chunk);
      return chunk;
    }
    chunk.emptySinceNanos = System.nanoTime();
    bands[Band.QINIT.ordinal()].add(chunk);
    return null;
  }

  /** Returns whether one more empty chunk is kept. Pages that were used before cost no fault. */
  private boolean isKept() {
    if (keptBytes == Long.MAX_VALUE) {
      return true;
    }
    long kept = 0;
    for (Chunk c = bands[Band.QINIT.ordinal()].first(); c != null; c = c.next) {
      if (c.isEmpty()) {
        kept += chunkBytes;
        if (kept > keptBytes - chunkBytes) {
          return false;
        }
      }
    }
    return true;
  }

  private @Nullable Chunk findEmpty() {
    for (Chunk c = bands[Band.QINIT.ordinal()].first(); c != null; c = c.next) {
      if (c.isEmpty()) {
        return c;
      }
    }
    return null;
  }

  private void retire(Chunk chunk) {
    byAge.remove(chunk);
    chunks--;
    chunkDeallocations++;
  }

  private void relist(Chunk chunk) {
    Band next = chunk.band.next(chunk.usage());
    if (next != chunk.band) {
      bands[chunk.band.ordinal()].remove(chunk);
      bands[next.ordinal()].add(chunk);
    }
  }

  /**
   * Gives empty chunks back that have been so for {@code decayNanos} or longer, whichever band they
   * started from: none lives for ever.
   */
  void releaseIdleChunks(long decayNanos) {
    Chunk idle = null; // linked by next, so that nothing is lost for want of memory
    lock();
    try {
      long nowNanos = System.nanoTime();
      ChunkList initial = bands[Band.QINIT.ordinal()];
      Chunk next;
      for (Chunk chunk = initial.first(); chunk != null; chunk = next) {
        next = chunk.next;
        if (chunk.isEmpty() && nowNanos - chunk.emptySinceNanos >= decayNanos) {
          initial.remove(chunk);
          retire(chunk);
          chunk.next = idle;
          idle = chunk;
        }
      }
    } finally {
      lock.unlock();
    }
    free(idle);
  }

  /**
   * Gives back one empty chunk of any of {@code arenas}, without waiting for another thread.
   *
   * @return whether there was one
   */
  static boolean tryFreeChunk(Arena[] arenas) {
    for (Arena arena : arenas) {
      if (arena.tryFreeChunk()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives back one empty chunk, without waiting for another thread.
   *
   * @return whether there was one
   */
  private boolean tryFreeChunk() {
    if (!lock.tryLock()) {
      return false;
    }
    Chunk empty;
    try {
      empty = findEmpty();
      if (empty == null) {
        return false;
      }
      bands[Band.QINIT.ordinal()].remove(empty);
      retire(empty);
    } finally {
      lock.unlock();
    }
    source.free(empty.region);
    return true;
  }

  /** Returns whether a thread is inside this arena, maybe while the system looks for memory. */
  boolean isLocked() {
    return lock.isLocked();
  }

  /** Nobody else knows of these chunks any more: where one fails, the others go all the same. */
  private void free(@Nullable Chunk first) {
    Throwable failed = null;
    for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
      try {
        source.free(chunk.region);
      } catch (RuntimeException | Error notThisOne) {
        failed = Failures.first(failed, notThisOne);
      }
    }
    Failures.rethrow(failed);
  }

  /** Gives back what other threads released into groups whose owners do not come for it. */
  void revokeReleased() {
    for (SlotGroup group : groups()) {
      group.revokeReleased();
    }
  }

  /** The groups that have memory here now. A rack is listed once for each of its runs. */
  List<SlotGroup> groups() {
    List<SlotGroup> groups = new ArrayList<>();
    lock();
    try {
      for (ChunkList list : bands) {
        for (Chunk chunk = list.first(); chunk != null; chunk = chunk.next) {
          for (SlotGroup group : chunk.groupAt) {
            if (group != null) {
              groups.add(group);
            }
          }
        }
      }
    } finally {
      lock.unlock();
    }
    return groups;
  }

  /** How many chunks were searched for a run so far; those without a page free never are. */
  long searches() {
    lock();
    try {
      return byAge.searches;
    } finally {
      lock.unlock();
    }
  }

  /** The chunks, from the emptiest band to the full one. */
  List<ChunkFigures> chunkFigures() {
    List<ChunkFigures> figures = new ArrayList<>();
    lock();
    try {
      for (ChunkList list : bands) {
        for (Chunk chunk = list.first(); chunk != null; chunk = chunk.next) {
          int freeBytes = chunk.freePages() * pageBytes;
          figures.add(new ChunkFigures(chunk.band, chunk.usage(), chunkBytes, freeBytes));
        }
      }
    } finally {
      lock.unlock();
    }
    return figures;
  }

  /**
   * Lists chunks for a map, from the emptiest band to the full one, as many as there is room for.
   * Nothing is allocated while the lock is held.
   *
   * @return how many chunks there are
   */
  int listChunks(int[] cells) {
    lock();
    try {
      int listed = 0;
      for (ChunkList list : bands) {
        Chunk chunk = list.first();
        for (; chunk != null && listed < cells.length; chunk = chunk.next) {
          cells[listed++] = ChunkMap.cell(chunk.band, chunk.usage());
        }
      }
      return chunks;
    } finally {
      lock.unlock();
    }
  }

  /** Fills this arena's figures into a snapshot. */
  void report(SnapshotBuilder snapshot) {
    lock();
    try {
      snapshot.set(ArenaFigure.RESERVED_BYTES, index, (long) chunks * chunkBytes);
      snapshot.set(ArenaFigure.LOCK_WAITS, index, lockWaits);
      snapshot.set(ArenaFigure.CHUNK_ALLOCATIONS, index, chunkAllocations);
      snapshot.set(ArenaFigure.CHUNK_DEALLOCATIONS, index, chunkDeallocations);
      snapshot.set(ArenaFigure.SUBPAGES, index, subpages);
      snapshot.set(ArenaFigure.RUN_BYTES, index, runBytes);
      for (Band band : BANDS) {
        snapshot.set(ArenaFigure.chunks(band), index, bands[band.ordinal()].size());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Checks the lists and bitmaps against each other, and shows every run to {@code visitor}. */
  void check(PoolInvariants.RunVisitor visitor) {
    lock();
    try {
      int seen = 0;
      long used = 0;
      for (ChunkList list : bands) {
        for (Chunk chunk = list.first(); chunk != null; chunk = chunk.next) {
          seen++;
          PoolInvariants.require(chunk.band == list.band, "chunk is in the list of its band");
          PoolInvariants.require(
              chunk.band.next(chunk.usage()) == chunk.band || chunk.isEmpty(),
              "chunk of usage " + chunk.usage() + " is in " + chunk.band.label());
          used += PoolInvariants.checkChunk(chunk, visitor);
        }
      }
      PoolInvariants.require(seen == chunks, "chunks listed " + seen + ", counted " + chunks);
      PoolInvariants.require(used == runBytes, "runs use " + used + ", counted " + runBytes);
    } finally {
      lock.unlock();
    }
  }
}
