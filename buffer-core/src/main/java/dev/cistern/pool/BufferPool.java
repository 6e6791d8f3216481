/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import dev.cistern.memory.MemoryBackoffError;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.ChunkStats;
import dev.cistern.stats.PoolLayout;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SubpageStats;
import dev.cistern.util.internal.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool of one kind of memory: arenas, thread caches, extents. Thread-safe.
 *
 * <p>An allocation returns the object that the {@link SlotBinder} bound to a slot. {@link
 * SlotGroup#release} releases the slot.
 */
public final class BufferPool implements AutoCloseable {
  /**
   * The maximum bytes of cached extents on the Java heap, which the garbage collector cannot free.
   */
  private static final long MAX_HEAP_EXTENT_BYTES = 64L << 20;

  /** The shift of the memory limit to the maximum that the caches keep, an eighth of the limit. */
  private static final int KEPT_SHIFT = 3;

  private final PoolSettings settings;
  final PoolRegions regions;
  private final SlotBinder binder;
  final SizeClasses sizeClasses;
  final PoolLayout layout;
  final ByteSampler.Sampling sampling;
  final Quarantine quarantine;
  final Arena[] arenas;
  final ExtentCache extents;
  final ThreadCaches caches;
  final SharedCaches shared;

  /** The current group of a bin that has no group. */
  final SlotGroup noGroup;

  private final boolean hasOwnCaches;

  // The fields that the fast path reads. They are copied here because each load from another object
  // costs time.
  private final byte[] smallClasses;
  private final byte[] runClasses;
  private final int pageShift;
  private final SlotGroup[][] currentGroups;

  final PoolReport report;
  final Maintenance maintenance;

  /** Releases that failed; the maintenance thread finishes them. */
  final PendingReleases pendingReleases = new PendingReleases();

  /** Number of ticks; owners read it on the slow path. */
  final AtomicInteger trimRound = new AtomicInteger();

  /** The maximum idle bytes of all thread caches, and also the maximum of the extent cache. */
  private final long keptBytes;

  /** The maximum idle bytes of each thread cache: its part of {@link #keptBytes}. */
  private volatile long cacheShareBytes;

  /** Whether the pool is closed. Set once, by {@link #close}. */
  private volatile boolean isClosed;

  BufferPool(PoolSettings settings, MemorySource source, SlotBinder binder) {
    this.settings = settings;
    this.regions = new PoolRegions(source);
    this.keptBytes = source.limitBytes() >> KEPT_SHIFT;
    this.binder = binder;
    this.sizeClasses =
        new SizeClasses(settings.pageBytes(), settings.chunkBytes(), settings.alignment());
    this.layout = makeLayout();
    this.sampling = new ByteSampler.Sampling(settings.sampleIntervalBytes());
    this.quarantine = new Quarantine(settings.quarantineBytes());
    this.arenas = new Arena[settings.arenas()];
    for (int i = 0; i < arenas.length; i++) {
      arenas[i] = new Arena(i, this, regions, keptChunkBytes());
    }
    long extentBytes = Math.min(settings.extentCacheBytes(), keptExtentBytes());
    this.extents =
        new ExtentCache(
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
    this.maintenance = new Maintenance(this, regions, caches, shared);
    shareAmongCaches();
    if (settings.hasMaintenanceThread()) {
      MaintenanceThread.watch(this, regions);
    }
  }

  /** Returns the maximum bytes of empty chunks that an arena keeps. */
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

  private PoolLayout makeLayout() {
    return new PoolLayout(
        settings.kind().label(),
        settings.pageBytes(),
        settings.chunkBytes(),
        sizeClasses.smallCount(),
        settings.arenas(),
        sizeClasses.allBytes());
  }

  /** Returns a builder for a new pool. */
  public static PoolSettings.Builder builder(
      MemoryKind kind, MemorySource source, SlotBinder binder) {
    return new PoolSettings.Builder(kind, source, binder);
  }

  /**
   * Allocates a slot of at least {@code bytes} bytes and returns the object bound to it.
   *
   * @param bytes at least 0
   * @throws IllegalArgumentException if {@code bytes} is negative
   * @throws OutOfMemoryError if memory is still short after the pool has freed its unused memory
   */
  public Object allocate(int bytes) {
    int quantum = SizeClasses.quantum(bytes);
    int sizeClass;
    if (quantum < smallClasses.length) {
      sizeClass = smallClasses[quantum];
    } else {
      int lastPage = (bytes - 1) >>> pageShift; // far too large if bytes is 0 or less
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

  /** Allocates if the fast path of the thread's current group has failed. */
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

  /** Allocates if the table shows no current group of the calling thread. */
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

  /** Frees unused memory by {@link Maintenance#reclaim}, and tries once more. */
  private Object allocateAfterReclaim(int bytes, OutOfMemoryError first) {
    if (first instanceof MemoryBackoffError) {
      OomRetry.increment(report.failedAllocations);
      throw first;
    }
    try {
      maintenance.reclaim();
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

  /** Returns an error that names the caller's request: the refusal names a chunk or a run. */
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
   * Frees one chunk or extent that no buffer uses. This is for a thread of the host JVM that was
   * refused memory elsewhere. It does not wait for a thread that is requesting memory for this
   * pool, unless that thread begins to do so meanwhile.
   *
   * @return whether a chunk or an extent was freed
   */
  public boolean tryFreeOne() {
    return maintenance.tryFreeOne();
  }

  /** Returns all groups, including those of extents. */
  List<SlotGroup> groups() {
    List<SlotGroup> groups = new ArrayList<>(extents.groups());
    for (Arena arena : arenas) {
      groups.addAll(arena.groups());
    }
    return groups;
  }

  /** Returns the size of the slot for a request of {@code bytes} bytes. */
  public int usableBytes(int bytes) {
    return bytes <= layout.chunkBytes()
        ? sizeClasses.bytes(sizeClasses.of(bytes))
        : extents.extentBytes(bytes);
  }

  /**
   * Frees the unused memory of the calling thread's cache. The thread keeps the cache.
   *
   * @return false if the thread has no cache
   */
  public boolean trimCurrentThreadCache() {
    ThreadCache cache = caches.current();
    if (cache == null) {
      return false;
    }
    cache.trim();
    cache.trim(); // also frees the groups that the first trim found idle
    return true;
  }

  /** Returns the bytes allocated from the source: one read, unlike {@link #snapshot()}. */
  public long reservedBytes() {
    return regions.reservedBytes();
  }

  /** Returns about the number of threads that have a cache; takes no lock. */
  public int threadCacheCount() {
    return caches.count();
  }

  /**
   * Retires the calling thread's cache. The thread gets a new one if it allocates again, and
   * releases the slots that it still holds as another thread would.
   *
   * @return false if the thread had no cache
   */
  public boolean freeCurrentThreadCache() {
    StackRoom.require();
    return caches.removeCurrent();
  }

  /**
   * Does the work that is due by time. The maintenance thread, or the agent's thread, calls this
   * about once a second.
   */
  public void tick() {
    StackRoom.require();
    maintenance.tick();
  }

  /**
   * Returns all statistics at one moment. Holds each lock for a few additions, and none while it
   * waits for another. So it delays an allocation no longer than another thread that takes a run.
   * Counters never decrease from one snapshot to another that begins after its end.
   */
  public PoolSnapshot snapshot() {
    return report.snapshot(new SnapshotBuilder(layout));
  }

  /** Returns the chunks of an arena, from the emptiest usage band to the full one. */
  public List<ChunkStats> chunks(int arena) {
    StackRoom.require();
    return arenas[arena].chunkStats();
  }

  /**
   * Returns the usage of the chunks: up to {@link ChunkMap#MAX_LISTED} chunks of all arenas
   * together. Holds the lock of one arena at a time.
   */
  public ChunkMap chunkMap() {
    return report.chunkMap();
  }

  /** Returns the subpages of an arena. */
  public List<SubpageStats> subpages(int arena) {
    return report.subpages(arena);
  }

  /**
   * Sets the mean of the byte sampler.
   *
   * @param mean mean bytes between two samples; 0 turns sampling off. Threads use it from the next
   *     tick on, or within 64 MiB of allocations of one size class.
   * @throws IllegalArgumentException if {@code mean} is negative
   */
  public void sampleIntervalBytes(long mean) {
    sampling.meanBytes(mean);
  }

  /** Returns the settings of the pool. */
  public PoolSettings settings() {
    return settings;
  }

  /**
   * Closes the pool: it keeps no released memory, and the maintenance thread stops ticking it when
   * all buffers are released. Buffers in use stay valid, and allocation is still possible.
   */
  @Override
  public void close() {
    StackRoom.require();
    isClosed = true;
    maintenance.close();
  }

  /**
   * Returns the number of failures that releases did not report to their callers. Either the
   * release was finished later, or the memory source failed to free its memory.
   */
  public long releaseFailures() {
    return pendingReleases.failures();
  }

  /** Returns one of these failures since the last call, for the log; null if there was none. */
  public @Nullable Throwable takeReleaseFailure() {
    return pendingReleases.takeCause();
  }

  // ---- internal

  boolean isClosed() {
    return isClosed;
  }

  SlotBinder binder() {
    return binder;
  }

  long idleBudgetBytes() {
    return isClosed ? 0 : Math.min(settings.idleBytesPerThread(), cacheShareBytes);
  }

  /**
   * Returns whether too many released runs wait for an owner that may sleep. One run of up to the
   * budget may wait, or several that take up to a quarter of it, which the last may exceed.
   */
  boolean isOverRemoteBudget(int runs, int bytes) {
    long budget = idleBudgetBytes();
    return runs == 1 ? bytes > budget : (runs - 1L) * bytes >= budget / 4;
  }

  /** Divides the bytes that all thread caches may keep by their number, which has changed. */
  void shareAmongCaches() {
    cacheShareBytes = keptBytes / (caches.count() + settings.sharedCaches());
  }

  void countRemoteRelease(SlotGroup group) {
    @Nullable ThreadCache cache = caches.current();
    if (cache != null) {
      cache.counters.countRemoteRelease(group);
    } else {
      report.uncachedReleases.count(group);
    }
  }

  @Override
  public String toString() {
    return settings.kind().label() + " pool of " + arenas.length + " arenas";
  }
}
