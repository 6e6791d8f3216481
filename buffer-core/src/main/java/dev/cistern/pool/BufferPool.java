/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.NotAskedError;
import dev.cistern.stats.ChunkFigures;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SubpageFigures;
import dev.cistern.util.VirtualThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pool of one kind of memory: arenas, thread caches, extents. Thread-safe.
 *
 * <p>What it hands out is the object that its {@link SlotBinder} bound to a slot; the slot comes
 * back by {@link SlotGroup#release}.
 */
public final class BufferPool implements AutoCloseable {
  /** A released slot rests no longer than this. */
  private static final long QUARANTINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Extents on the Java heap, which the garbage collector cannot take, are kept up to this. */
  private static final long MAX_HEAP_EXTENT_BYTES = 64L << 20;

  /** Caches keep up to one part in eight of the memory limit. */
  private static final int KEPT_SHIFT = 3;

  private final PoolSettings settings;
  private final PoolRegions source;
  private final SlotBinder binder;
  private final SizeClasses sizeClasses;
  private final PoolShape shape;
  private final ByteSampler.Sampling sampling;
  private final Quarantine quarantine;
  private final Arena[] arenas;
  private final Extents extents;
  private final ThreadCaches caches;
  private final SlotGroup noGroup;

  // What the fast path reads, all of it here: each step from object to object would cost it.
  private final byte[] smallClasses;
  private final byte[] runClasses;
  private final int pageShift;
  private final SlotGroup[][] rowByThread;

  /** The groups that threads allocate from, by thread and size class. */
  final Rows rows;

  private final SharedCaches shared;
  private final IdleCacheReclaimer idle;
  private final boolean ownCaches;

  private final ForeignReleases foreignReleases;
  private final LongAdder failedAllocations = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private final LongAdder failedSamples = new LongAdder();

  /** The most bytes that the thread caches keep without need, and as many that the extents keep. */
  private final long keptBytes;

  /** Bytes of free runs that each thread cache may keep of the memory limit. */
  private volatile long cacheShareBytes;

  /** Counts the janitor's rounds; written by it, read by owners on slow paths. */
  private final AtomicInteger trimRound = new AtomicInteger();

  /** Held while memory is given back behind the owners' backs, and by checks that want rest. */
  final ReentrantLock upkeep = new ReentrantLock();

  /** Releases that failed; the maintenance thread finishes them. */
  final PendingReleases pendingReleases = new PendingReleases();

  /** The thread that takes the caches of idle threads, or null. */
  private volatile @Nullable Thread maintenance;

  /** Written once, by the thread that closes. */
  private volatile boolean closed;

  BufferPool(PoolSettings settings, MemorySource from, SlotBinder binder) {
    this.settings = settings;
    PoolRegions source = new PoolRegions(from);
    this.source = source;
    this.keptBytes = source.limitBytes() >> KEPT_SHIFT;
    this.binder = binder;
    this.sizeClasses =
        new SizeClasses(settings.pageBytes(), settings.chunkBytes(), settings.alignment());
    this.shape = makeShape();
    this.sampling = new ByteSampler.Sampling(settings.sampleIntervalBytes());
    this.quarantine = new Quarantine(settings.quarantineBytes());
    this.arenas = new Arena[settings.arenas()];
    for (int i = 0; i < arenas.length; i++) {
      arenas[i] =
          new Arena(
              i, source, settings, sizeClasses.smallCount(), keptChunkBytes(), this::isMaintenance);
    }
    this.foreignReleases = new ForeignReleases(arenas.length, sizeClasses.count());
    long extentBytes = Math.min(settings.extentCacheBytes(), keptExtentBytes());
    this.extents =
        new Extents(
            this, source, settings.reclaimable() ? Long.MAX_VALUE : extentBytes, extentBytes);
    this.smallClasses = sizeClasses.smallTable();
    this.runClasses = sizeClasses.runTable();
    this.pageShift = Integer.numberOfTrailingZeros(settings.pageBytes());
    this.noGroup = SlotGroup.none(this, arenas[0]);
    this.rows = new Rows(noGroup, sizeClasses.count());
    this.rowByThread = rows.byThread();
    this.caches = new ThreadCaches(this, arenas);
    this.shared = new SharedCaches(this, arenas, settings.sharedCaches());
    this.idle = new IdleCacheReclaimer(caches, shared, arenas);
    this.ownCaches = settings.threadCaches();
    shareAmongCaches();
    if (settings.janitor()) {
      MaintenanceThread.watch(this, source);
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

  private boolean isMaintenance() {
    return Thread.currentThread().equals(maintenance);
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
    int quanta = SizeClasses.quanta(bytes);
    int sizeClass;
    if (quanta >= 0 && quanta < smallClasses.length) {
      sizeClass = smallClasses[quanta];
    } else {
      int lastPage = (bytes - 1) >>> pageShift; // far too large for a negative request
      if (lastPage >= runClasses.length) {
        return allocateSlow(bytes);
      }
      sizeClass = runClasses[lastPage];
    }
    Thread thread = Thread.currentThread();
    SlotGroup group = rowByThread[Rows.place(thread)][sizeClass];
    if (group.owner == thread && group.hasFree()) {
      Object object = group.take(bytes);
      if (object != null) {
        return object;
      }
    }
    return allocateOffRow(thread, sizeClass, bytes);
  }

  private Object allocateOffRow(Thread thread, int sizeClass, int bytes) {
    if (!ownCaches || VirtualThreads.isVirtual(thread)) {
      Object object = shared.tryTake(thread, sizeClass, bytes);
      if (object != null) {
        return object;
      }
    }
    return allocateSlow(bytes);
  }

  private Object allocateSlow(int bytes) {
    try {
      ThreadCache cache = caches.current();
      if (cache == null) {
        return allocateUncached(bytes);
      }
      if (rows.isFree(Thread.currentThread())) {
        caches.showAgain(cache);
      }
      return cache.allocate(bytes);
    } catch (OutOfMemoryError short0) {
      return allocateAfterReclaim(bytes, short0);
    }
  }

  private Object allocateUncached(int bytes) {
    if (ownCaches && !VirtualThreads.isVirtual(Thread.currentThread())) {
      return caches.create().allocate(bytes);
    }
    return shared.allocate(bytes);
  }

  /** Memory is short: give back all that nobody uses, then try once more. */
  private Object allocateAfterReclaim(int bytes, OutOfMemoryError first) {
    if (first instanceof NotAskedError) {
      OomRetry.increment(failedAllocations);
      throw first;
    }
    try {
      reclaim();
      ThreadCache cache = caches.current();
      return cache != null ? cache.allocate(bytes) : allocateUncached(bytes);
    } catch (OutOfMemoryError again) {
      OomRetry.increment(failedAllocations);
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

  private void reclaim() {
    StackRoom.require();
    pendingReleases.finish(this);
    quarantine.release(0);
    trimCurrentThreadCache();
    shared.trim();
    releaseUnused(0);
  }

  /**
   * Gives back one chunk or extent that no buffer uses. For a thread of the host that was refused
   * memory elsewhere: it does not wait for a thread that is requesting memory for this pool, unless
   * that thread begins to do so meanwhile.
   *
   * @return whether memory went back to the source
   */
  public boolean tryFreeOne() {
    StackRoom.require();
    if (extents.tryFreeOne() || Arena.tryFreeChunk(arenas)) {
      return true;
    }
    if (QuiescenceCheck.isCallerInside() || isAnyArenaLocked() || !upkeep.tryLock()) {
      return false; // the holder of a lock may itself be waiting for memory
    }
    try {
      quarantine.release(0);
      freeCurrentThreadCache();
      return Arena.tryFreeChunk(arenas) || idle.tryFreeByTakingAll();
    } finally {
      upkeep.unlock();
    }
  }

  /** Returns all groups, those of extents too. */
  List<SlotGroup> groups() {
    List<SlotGroup> groups = new ArrayList<>(extents.groups());
    for (Arena arena : arenas) {
      groups.addAll(arena.groups());
    }
    return groups;
  }

  private boolean isAnyArenaLocked() {
    for (Arena arena : arenas) {
      if (arena.isLocked()) {
        return true;
      }
    }
    return false;
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
    return source.reservedBytes();
  }

  /** Threads that have a cache, as far as a look without a lock can tell. */
  public int threadCacheCount() {
    return idle.threadCaches();
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
    pendingReleases.finish(this);
    trimRound.incrementAndGet();
    if (source.reservedBytes() == 0 && caches.isEmpty()) {
      return;
    }
    quarantine.release(closed ? 0 : QUARANTINE_NANOS);
    caches.reap();
    shared.trim();
    maintenance = Thread.currentThread();
    try {
      revokeIdleCaches();
    } finally {
      maintenance = null;
    }
    releaseUnused(closed ? 0 : TimeUnit.MILLISECONDS.toNanos(settings.decayMillis()));
    source.measureIfDue();
  }

  private void revokeIdleCaches() {
    long idleMillis = settings.idleCacheMillis();
    if (idleMillis != 0) {
      long idleNanos = closed ? 0 : TimeUnit.MILLISECONDS.toNanos(idleMillis);
      OomRetry.lock(upkeep);
      try {
        idle.look(idleNanos);
      } finally {
        upkeep.unlock();
      }
    }
  }

  private void releaseUnused(long decayNanos) {
    caches.reap();
    for (Arena arena : arenas) {
      OomRetry.lock(upkeep);
      try {
        arena.revokeReleased();
        arena.releaseIdleChunks(decayNanos);
      } finally {
        upkeep.unlock();
      }
    }
    OomRetry.lock(upkeep);
    try {
      extents.releaseIdle(decayNanos);
    } finally {
      upkeep.unlock();
    }
  }

  /**
   * All figures at one moment. Each lock is held for a few additions, and none while waiting for
   * another, so that no allocation is held up for longer than by another thread that takes a run.
   * Counters do not go back from one snapshot to one that begins after its end.
   */
  public PoolSnapshot snapshot() {
    return snapshot(new SnapshotBuilder(shape));
  }

  PoolSnapshot snapshot(SnapshotBuilder snapshot) {
    StackRoom.require(); // a lock might not be given back
    foreignReleases.report(snapshot); // releases before allocations
    caches.report(snapshot, shared);
    extents.report(snapshot);
    long orphaned = 0;
    for (Arena arena : arenas) {
      arena.report(snapshot);
      for (Orphans orphans : arena.orphans) {
        orphaned += orphans.size();
      }
    }
    snapshot.set(PoolFigure.ORPHANED_SUBPAGES, orphaned);
    snapshot.set(PoolFigure.USED_BYTES, source.usedBytes());
    snapshot.set(PoolFigure.LIMIT_BYTES, source.limitBytes());
    source.report(snapshot);
    snapshot.set(PoolFigure.FAILED_ALLOCATIONS, failedAllocations.sum());
    snapshot.set(PoolFigure.SHARED_CACHE_WAITS, shared.waits());
    snapshot.set(PoolFigure.SAMPLES, samples.sum());
    snapshot.set(PoolFigure.FAILED_SAMPLES, failedSamples.sum());
    snapshot.set(PoolFigure.SAMPLE_INTERVAL_BYTES, sampling.meanBytes());
    snapshot.set(PoolFigure.LARGEST_SAMPLE_INTERVAL_BYTES, largestSampleInterval());
    return snapshot.build();
  }

  private long largestSampleInterval() {
    long largest = sampling.meanBytes();
    for (ThreadCache cache : caches.all()) {
      largest = Math.max(largest, cache.sampler.intervalBytes());
    }
    for (ThreadCache cache : shared.all()) {
      largest = Math.max(largest, cache.sampler.intervalBytes());
    }
    return largest;
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
    StackRoom.require();
    int[][] cells = new int[arenas.length][];
    int[] notListed = new int[arenas.length];
    int room = ChunkMap.MOST;
    for (int i = 0; i < arenas.length; i++) {
      int[] listed = new int[room / (arenas.length - i)]; // what one leaves, the next ones have
      int chunks = arenas[i].listChunks(listed);
      cells[i] = Arrays.copyOf(listed, Math.min(chunks, listed.length));
      notListed[i] = chunks - cells[i].length;
      room -= cells[i].length;
    }
    return new ChunkMap(shape.memory(), cells, notListed);
  }

  /** The subpages of an arena. */
  public List<SubpageFigures> subpages(int arena) {
    StackRoom.require();
    List<SubpageFigures> figures = new ArrayList<>();
    for (SlotGroup group : arenas[arena].groups()) {
      if (group.isSubpage()) {
        figures.add(group.figures());
      }
    }
    return figures;
  }

  /**
   * Sets the mean of the byte sampler.
   *
   * @param mean bytes between two samples, on average; 0 turns sampling off. Threads take it up
   *     with the janitor's next round or within 64 MiB of allocations of one size class.
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
   * Lets the pool go: its janitor stops once nothing is out, and what comes back is not kept.
   * Buffers that are out stay valid, and allocating is still possible.
   */
  @Override
  public void close() {
    StackRoom.require();
    closed = true;
    pendingReleases.finish(this);
    quarantine.release(0);
    freeCurrentThreadCache();
    caches.giveUpShared(shared, shared.all(), true);
    releaseUnused(0);
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
    return closed;
  }

  SlotBinder binder() {
    return binder;
  }

  PoolShape shape() {
    return shape;
  }

  SizeClasses sizeClasses() {
    return sizeClasses;
  }

  Extents extents() {
    return extents;
  }

  Arena anyArena() {
    return arenas[0];
  }

  Arena[] arenas() {
    return arenas;
  }

  ThreadCaches threadCaches() {
    return caches;
  }

  /** Bytes drawn from the source and not given back, by region: for checks. */
  long bytesOfRegions() {
    return source.bytes();
  }

  List<ThreadCache> ownedCaches() {
    return caches.all();
  }

  List<ThreadCache> sharedCaches() {
    return shared.all();
  }

  Quarantine quarantine() {
    return quarantine;
  }

  ByteSampler.Sampling sampling() {
    return sampling;
  }

  int trimRound() {
    return trimRound.get();
  }

  /** Stands where a bin has no group yet. */
  SlotGroup noGroup() {
    return noGroup;
  }

  long trimIntervalAllocations() {
    return settings.trimIntervalAllocations();
  }

  int pageBytes() {
    return settings.pageBytes();
  }

  long runBudgetBytes() {
    return closed ? 0 : Math.min(settings.runCacheBytesPerThread(), cacheShareBytes);
  }

  long remoteRunBytes() {
    return runBudgetBytes() / 4;
  }

  long idleSubpageBytes() {
    return closed ? 0 : Math.min(settings.idleSubpageBytesPerThread(), cacheShareBytes / 4);
  }

  /** Divides what the caches of all threads may keep by their number, which has changed. */
  void shareAmongCaches() {
    cacheShareBytes = keptBytes / (threadCacheCount() + settings.sharedCaches());
  }

  void countRemoteRelease(SlotGroup group) {
    @Nullable ThreadCache cache = caches.current();
    if (cache != null) {
      cache.remoteReleases.count(group);
    } else {
      foreignReleases.count(group);
    }
  }

  void sampled(Object bound, int requestedBytes, long weightBytes, ByteSampler sampler) {
    long startNanos = sampler.nanos();
    try {
      binder.sampled(bound, requestedBytes, weightBytes);
      OomRetry.increment(samples);
    } catch (RuntimeException | Error notWatched) {
      OomRetry.increment(failedSamples); // the slot is handed out already: the caller must get it
    }
    sampler.spentSince(startNanos);
  }

  @Override
  public String toString() {
    return settings.kind().label() + " pool of " + arenas.length + " arenas";
  }
}
