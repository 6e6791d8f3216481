/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import dev.cistern.memory.MemoryBackoffError;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.stats.ChunkFigures;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SubpageFigures;
import dev.cistern.util.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool of one kind of memory: arenas, thread caches, extents. Thread-safe.
 *
 * <p>What it hands out is the object that its {@link SlotBinder} bound to a slot; the slot comes
 * back by {@link SlotGroup#release}.
 */
public final class BufferPool implements AutoCloseable {
  /** Extents on the Java heap, which the garbage collector cannot take, are kept up to this. */
  private static final long MAX_HEAP_EXTENT_BYTES = 64L << 20;

  /** Caches keep up to one part in eight of the memory limit. */
  private static final int KEPT_SHIFT = 3;

  private final PoolSettings settings;
  final PoolRegions regions;
  private final SlotBinder binder;
  private final SizeClasses sizeClasses;
  final PoolShape shape;
  final ByteSampler.Sampling sampling;
  final Quarantine quarantine;
  private final Arena[] arenas;
  private final Extents extents;
  private final ThreadCaches caches;
  final SharedCaches shared;

  /** The group of a bin that has none. */
  final SlotGroup noGroup;

  private final boolean hasOwnCaches;

  // What the fast path reads, all of it here: each step from object to object would cost it.
  private final byte[] smallClasses;
  private final byte[] runClasses;
  private final int pageShift;
  private final SlotGroup[][] currentGroups;

  final PoolReport report;
  final Upkeep upkeep;

  /** Releases that failed; the maintenance thread finishes them. */
  final PendingReleases pendingReleases = new PendingReleases();

  /** Number of ticks; owners read it on slow paths. */
  final AtomicInteger trimRound = new AtomicInteger();

  /** Up to so many bytes the thread caches keep without need, and as many the extents. */
  private final long keptBytes;

  /** Bytes of free runs that each thread cache may keep of the memory limit. */
  private volatile long cacheShareBytes;

  /** Set once, by {@link #close}. */
  private volatile boolean isClosed;

  BufferPool(PoolSettings settings, MemorySource source, SlotBinder binder) {
    this.settings = settings;
    this.regions = new PoolRegions(source);
    this.keptBytes = source.limitBytes() >> KEPT_SHIFT;
    this.binder = binder;
    this.sizeClasses =
        new SizeClasses(settings.pageBytes(), settings.chunkBytes(), settings.alignment());
    this.shape = makeShape();
    this.sampling = new ByteSampler.Sampling(settings.sampleIntervalBytes());
    this.quarantine = new Quarantine(settings.quarantineBytes());
    this.arenas = new Arena[settings.arenas()];
    for (int i = 0; i < arenas.length; i++) {
      arenas[i] = new Arena(i, this, regions, keptChunkBytes());
    }
    long extentBytes = Math.min(settings.extentCacheBytes(), keptExtentBytes());
    this.extents =
        new Extents(
            this, regions, settings.reclaimable() ? Long.MAX_VALUE : extentBytes, extentBytes);
    this.smallClasses = sizeClasses.smallTable();
    this.runClasses = sizeClasses.runTable();
    this.pageShift = Integer.numberOfTrailingZeros(settings.pageBytes());
    this.noGroup = SlotGroup.none(this, arenas[0]);
    this.caches = new ThreadCaches(this, arenas);
    this.currentGroups = caches.table.currentGroups();
    this.shared = new SharedCaches(this, arenas, settings.sharedCaches());
    this.hasOwnCaches = settings.threadCaches();
    this.report = new PoolReport(this, regions, caches, shared);
    this.upkeep = new Upkeep(this, regions, caches, shared);
    shareAmongCaches();
    if (settings.hasMaintenanceThread()) {
      MaintenanceThread.watch(this, regions);
    }
  }

  /** Returns how many bytes of empty chunks an arena keeps. */
  private long keptChunkBytes() {
    if (settings.kind() == MemoryKind.HEAP) {
      return 0; // the garbage collector needs the space
    }
    return settings.reclaimable() ? Long.MAX_VALUE : keptBytes / arenas.length;
  }

  private long keptExtentBytes() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return settings.kind() == MemoryKind.HEAP
        ? Math.min(keptBytes, Math.min(MAX_HEAP_EXTENT_BYTES, heapBytes >> KEPT_SHIFT))
        : keptBytes;
  }

  private PoolShape makeShape() {
    return new PoolShape(
        settings.kind().label(),
        settings.pageBytes(),
        settings.chunkBytes(),
        sizeClasses.smallCount(),
        settings.arenas(),
        sizeClasses.allBytes());
  }

  /** Begins the settings of a new pool. */
  public static PoolSettings.Builder builder(
      MemoryKind kind, MemorySource source, SlotBinder binder) {
    return new PoolSettings.Builder(kind, source, binder);
  }

  /**
   * Hands out a slot of at least {@code bytes} bytes and returns the object bound to it.
   *
   * @param bytes at least 0
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws OutOfMemoryError if memory is short also after the pool gave back what it could
   */
  public Object allocate(int bytes) {
    int quantum = SizeClasses.quantum(bytes);
    int sizeClass;
    if (quantum < smallClasses.length) {
      sizeClass = smallClasses[quantum];
    } else {
      int lastPage = (bytes - 1) >>> pageShift; // far too large for less than a byte
      if (lastPage >= runClasses.length) {
        return allocateOther(bytes);
      }
      sizeClass = runClasses[lastPage];
    }
    Thread thread = Thread.currentThread();
    SlotGroup group = currentGroups[ThreadTable.place(thread)][sizeClass];
    if (group.owner != thread) {
      return allocateWithoutGroup(thread, sizeClass, bytes);
    }
    Object object = group.take(bytes);
    return object != null ? object : allocateFromBin(group.bin, bytes);
  }

  private Object allocateFromBin(Bin bin, int bytes) {
    return SlowPath.allocateFromBin(this, bin, bytes);
  }

  /** Allocates if the thread's current group has no free slot, or if more is to do. */
  Object allocateFromBinSlow(Bin bin, int bytes) {
    try {
      return bin.take(bytes);
    } catch (OutOfMemoryError refused) {
      return allocateAfterReclaim(bytes, refused);
    }
  }

  private Object allocateWithoutGroup(Thread thread, int sizeClass, int bytes) {
    if (!hasOwnCaches || VirtualThreads.isVirtual(thread)) {
      Object object = shared.tryTake(thread, sizeClass, bytes);
      if (object != null) {
        return object;
      }
    }
    return allocateOther(bytes);
  }

  private Object allocateOther(int bytes) {
    return SlowPath.allocate(this, bytes);
  }

  /** Allocates if the row of the thread shows no group of its own. */
  Object allocateSlow(int bytes) {
    try {
      return allocateFromCache(bytes);
    } catch (OutOfMemoryError refused) {
      return allocateAfterReclaim(bytes, refused);
    }
  }

  private Object allocateFromCache(int bytes) {
    ThreadCache cache = caches.current();
    if (cache == null && hasOwnCaches && !VirtualThreads.isVirtual(Thread.currentThread())) {
      cache = caches.create();
    }
    return cache != null ? cache.allocate(bytes) : shared.allocate(bytes);
  }

  /** Memory is short: gives back all that no buffer uses, then tries once more. */
  private Object allocateAfterReclaim(int bytes, OutOfMemoryError first) {
    if (first instanceof MemoryBackoffError) {
      OomRetry.increment(report.failedAllocations);
      throw first;
    }
    try {
      upkeep.reclaim();
      return allocateFromCache(bytes);
    } catch (OutOfMemoryError again) {
      OomRetry.increment(report.failedAllocations);
      binder.exhausted();
      if (again != first) {
        again.addSuppressed(first);
      }
      throw namingRequest(bytes, again);
    }
  }

  /** What is refused is a chunk or a run; the caller asked for something else. */
  private static OutOfMemoryError namingRequest(int bytes, OutOfMemoryError refused) {
    try {
      OutOfMemoryError error =
          new OutOfMemoryError(
              "cannot allocate the " + bytes + " byte(s) requested: " + refused.getMessage());
      error.initCause(refused);
      return error;
    } catch (OutOfMemoryError heapIsFull) {
      return refused;
    }
  }

  /**
   * Gives back one chunk or extent that no buffer uses. For a thread of the host that was refused
   * memory elsewhere: it does not wait for a thread that is requesting memory for this pool, unless
   * that thread begins to do so meanwhile.
   *
   * @return whether memory went back to the source
   */
  public boolean tryFreeOne() {
    return upkeep.tryFreeOne();
  }

  /** Returns all groups, those of extents too. */
  List<SlotGroup> groups() {
    List<SlotGroup> groups = new ArrayList<>(extents.groups());
    for (Arena arena : arenas) {
      groups.addAll(arena.groups());
    }
    return groups;
  }

  /** The size of the slot that a request for {@code bytes} gets. */
  public int usableBytes(int bytes) {
    return bytes <= shape.chunkBytes()
        ? sizeClasses.bytes(sizeClasses.of(bytes))
        : extents.extentBytes(bytes);
  }

  /**
   * Gives back what the calling thread's cache holds and does not need. The cache stays.
   *
   * @return false where the thread has no cache
   */
  public boolean trimCurrentThreadCache() {
    ThreadCache cache = caches.current();
    if (cache == null) {
      return false;
    }
    cache.trim();
    cache.trim(); // the second also takes the runs that only the first has found unused
    return true;
  }

  /** Bytes drawn from the source and not given back: one read, unlike {@link #snapshot()}. */
  public long reservedBytes() {
    return regions.reservedBytes();
  }

  /** Threads that have a cache, as far as a look without a lock can tell. */
  public int threadCacheCount() {
    return caches.count();
  }

  /**
   * Gives up the calling thread's cache; it gets a new one if it allocates again. What it still has
   * out is released as by another thread.
   *
   * @return false where the thread had no cache
   */
  public boolean freeCurrentThreadCache() {
    StackRoom.require();
    return caches.removeCurrent();
  }

  /**
   * Does what is due by time. The maintenance thread, or the agent's, calls it about once a second.
   */
  public void tick() {
    StackRoom.require();
    upkeep.tick();
  }

  /**
   * All figures at one moment. Each lock is held for a few additions, and none while waiting for
   * another, so that no allocation is held up for longer than by another thread that takes a run.
   * Counters do not go back from one snapshot to one that begins after its end.
   */
  public PoolSnapshot snapshot() {
    return report.snapshot(new SnapshotBuilder(shape));
  }

  /** The chunks of an arena, from the emptiest band to the full one. */
  public List<ChunkFigures> chunks(int arena) {
    StackRoom.require();
    return arenas[arena].chunkFigures();
  }

  /**
   * How full the chunks are. Holds one arena's lock at a time, for at most {@link ChunkMap#MOST}
   * chunks of all arenas together.
   */
  public ChunkMap chunkMap() {
    return report.chunkMap();
  }

  /** Returns the subpages of an arena. */
  public List<SubpageFigures> subpages(int arena) {
    return report.subpages(arena);
  }

  /**
   * Sets the mean of the byte sampler.
   *
   * @param mean bytes between two samples, on average; 0 turns sampling off. Threads use it from
   *     the next tick on, or within 64 MiB of allocations of one size class.
   * @throws IllegalArgumentException if {@code mean} is negative
   */
  public void sampleIntervalBytes(long mean) {
    sampling.meanBytes(mean);
  }

  /** The settings in force. */
  public PoolSettings settings() {
    return settings;
  }

  /**
   * Closes the pool: it keeps no released memory, and the maintenance thread stops once all buffers
   * are released. Buffers in use stay valid, and allocating is still possible.
   */
  @Override
  public void close() {
    StackRoom.require();
    isClosed = true;
    upkeep.close();
  }

  /**
   * Number of failures that releases kept from their callers: each was finished later, or its
   * memory went back to the source, which failed.
   */
  public long releaseFailures() {
    return pendingReleases.failures();
  }

  /** Returns the first such failure since the last call, for the log; null if there was none. */
  public @Nullable Throwable takeReleaseFailure() {
    return pendingReleases.takeCause();
  }

  // ---- for the parts of the pool

  boolean isClosed() {
    return isClosed;
  }

  SlotBinder binder() {
    return binder;
  }

  SizeClasses sizeClasses() {
    return sizeClasses;
  }

  Extents extents() {
    return extents;
  }

  Arena[] arenas() {
    return arenas;
  }

  ThreadCaches threadCaches() {
    return caches;
  }

  long idleBudgetBytes() {
    return isClosed ? 0 : Math.min(settings.idleBytesPerThread(), cacheShareBytes);
  }

  /**
   * Returns whether too many runs wait for an owner that may sleep: one of up to the budget may, or
   * as many as come to a quarter of it, which the last of them may pass.
   */
  boolean isOverRemoteBudget(int runs, int bytes) {
    long budget = idleBudgetBytes();
    return runs == 1 ? bytes > budget : (runs - 1L) * bytes >= budget / 4;
  }

  /** Divides what the caches of all threads may keep by their number, which has changed. */
  void shareAmongCaches() {
    cacheShareBytes = keptBytes / (caches.count() + settings.sharedCaches());
  }

  void countRemoteRelease(SlotGroup group) {
    @Nullable ThreadCache cache = caches.current();
    if (cache != null) {
      cache.counters.countRemoteRelease(group);
    } else {
      report.foreignReleases.count(group);
    }
  }

  @Override
  public String toString() {
    return settings.kind().label() + " pool of " + arenas.length + " arenas";
  }
}
