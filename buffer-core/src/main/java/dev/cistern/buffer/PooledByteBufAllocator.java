/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakSettings;
import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.MemoryWay;
import dev.cistern.memory.NativeMemory;
import dev.cistern.pool.BufferPool;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.util.internal.Settings;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An allocator of buffers from two pools, one of direct and one of heap memory.
 *
 * <p>Each setting has a system property {@code cistern.allocator.<name>}: {@code numHeapArenas},
 * {@code numDirectArenas}, {@code pageSize}, {@code maxOrder}, {@code smallCacheSize}, {@code
 * normalCacheSize}, {@code useCacheForAllThreads}, {@code directMemoryCacheAlignment}, {@code
 * cacheTrimInterval}, {@code decayMillis}, {@code idleCacheMillis}, {@code sharedCaches}, {@code
 * extentCacheBytes}, {@code preferDirect}. With 0 arenas of a kind, buffers of that kind are not
 * pooled. All allocators together allocate up to {@code cistern.maxDirectMemory} bytes of direct
 * memory. Effective values are logged at debug level.
 */
public class PooledByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {
  private static final AllocatorSettings PROCESS = AllocatorSettings.ofProcess();
  private static final boolean PREFER_DIRECT = Settings.flag("allocator.preferDirect", true);

  /** The allocator with the settings of the process. */
  public static final PooledByteBufAllocator DEFAULT = new PooledByteBufAllocator(PREFER_DIRECT);

  private final AllocatorSettings settings;
  private final MemorySource heapSource;
  private final DirectMemorySource directSource;
  private final @Nullable BufferPool heapPool;
  private final @Nullable BufferPool directPool;
  private final PooledByteBufAllocatorMetric metric;

  /** Creates an allocator that prefers heap buffers, with the settings of the process. */
  public PooledByteBufAllocator() {
    this(false);
  }

  /**
   * Creates an allocator with the settings of the process.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   */
  public PooledByteBufAllocator(boolean preferDirect) {
    this(preferDirect, PROCESS);
  }

  /** Creates an allocator that prefers heap buffers; see the constructor with all settings. */
  public PooledByteBufAllocator(int nHeapArena, int nDirectArena, int pageSize, int maxOrder) {
    this(false, nHeapArena, nDirectArena, pageSize, maxOrder);
  }

  /** Creates an allocator whose caches have the settings of the process. */
  public PooledByteBufAllocator(
      boolean preferDirect, int nHeapArena, int nDirectArena, int pageSize, int maxOrder) {
    this(preferDirect, PROCESS.withArenas(nHeapArena, nDirectArena).withPages(pageSize, maxOrder));
  }

  /** Creates an allocator whose alignment is that of the process. */
  public PooledByteBufAllocator(
      boolean preferDirect,
      int nHeapArena,
      int nDirectArena,
      int pageSize,
      int maxOrder,
      int smallCacheSize,
      int normalCacheSize,
      boolean useCacheForAllThreads) {
    this(
        preferDirect,
        nHeapArena,
        nDirectArena,
        pageSize,
        maxOrder,
        smallCacheSize,
        normalCacheSize,
        useCacheForAllThreads,
        PROCESS.alignment());
  }

  /**
   * Creates an allocator.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   * @param nHeapArena arenas for heap buffers; 0: heap buffers are not pooled
   * @param nDirectArena arenas for direct buffers; 0: direct buffers are not pooled
   * @param pageSize size of a page in bytes, a power of two, at least 4,096
   * @param maxOrder a chunk has 2^maxOrder pages, at least 32 and up to 1 GiB
   * @param smallCacheSize 0, with {@code normalCacheSize} 0: no thread caches
   * @param normalCacheSize see {@link CacheSettings}
   * @param useCacheForAllThreads false: threads share caches instead of having one each
   * @param directMemoryCacheAlignment alignment of direct buffers in bytes, 0 or a power of two
   * @throws IllegalArgumentException for a value outside these ranges
   */
  public PooledByteBufAllocator(
      boolean preferDirect,
      int nHeapArena,
      int nDirectArena,
      int pageSize,
      int maxOrder,
      int smallCacheSize,
      int normalCacheSize,
      boolean useCacheForAllThreads,
      int directMemoryCacheAlignment) {
    this(
        preferDirect,
        PROCESS
            .withArenas(nHeapArena, nDirectArena)
            .withPages(pageSize, maxOrder)
            .withCaches(
                PROCESS.caches().with(smallCacheSize, normalCacheSize, useCacheForAllThreads))
            .withAlignment(directMemoryCacheAlignment));
  }

  /**
   * Creates an allocator with all settings, including those that the other constructors take from
   * the process.
   *
   * @param preferDirect true if {@link #buffer()} allocates direct buffers
   * @throws IllegalArgumentException if settings contradict each other
   */
  @SuppressWarnings("this-escape") // the metric only keeps its allocator
  public PooledByteBufAllocator(boolean preferDirect, AllocatorSettings settings) {
    this(
        preferDirect,
        settings,
        new DirectMemorySource(DirectMemoryLimit.shared(), settings.alignment(), false),
        new HeapMemorySource());
  }

  PooledByteBufAllocator(
      boolean preferDirect,
      AllocatorSettings settings,
      DirectMemorySource direct,
      MemorySource heap) {
    super(preferDirect);
    this.settings = settings;
    heapSource = heap;
    directSource = direct;
    heapPool = pool(MemoryKind.HEAP, heapSource, settings.heapArenas(), 0);
    directPool =
        pool(MemoryKind.DIRECT, directSource, settings.directArenas(), settings.alignment());
    metric = new PooledByteBufAllocatorMetric(this);
    System.getLogger(PooledByteBufAllocator.class.getName())
        .log(
            NativeMemory.way() == MemoryWay.MALLOC
                ? System.Logger.Level.INFO
                : System.Logger.Level.DEBUG,
            "pooled allocator: preferDirect={0}, {1}, maxDirectMemory={2}, memory by {3} ({4})",
            preferDirect,
            settings,
            Long.toString(directSource.limitBytes()),
            NativeMemory.way().label(),
            NativeMemory.way().description());
  }

  private @Nullable BufferPool pool(
      MemoryKind kind, MemorySource source, int arenas, int alignment) {
    if (arenas == 0) {
      return null;
    }
    CacheSettings caches = settings.caches();
    return BufferPool.builder(
            kind, source, new PooledByteBufBinder(this, kind == MemoryKind.DIRECT))
        .arenas(arenas)
        .pageBytes(settings.pageBytes())
        .chunkBytes(settings.chunkBytes())
        .alignment(alignment)
        .threadCaches(caches.anyThreadCaches())
        .sharedCaches(caches.sharedCaches())
        .idleBytesPerThread(caches.idleBytes())
        .sampleIntervalBytes(LeakSettings.INTERVAL_BYTES)
        .quarantineBytes(LeakSettings.QUARANTINE_BYTES)
        .extentCacheBytes(caches.extentCacheBytes())
        .trimIntervalAllocations(caches.trimIntervalAllocations())
        .decayMillis(caches.decayMillis())
        .idleCacheMillis(caches.idleCacheMillis())
        .build();
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return newBuffer(heapPool, heapSource, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return newBuffer(directPool, directSource, initialCapacity, maxCapacity);
  }

  private ByteBuf newBuffer(
      @Nullable BufferPool pool, MemorySource source, int initialCapacity, int maxCapacity) {
    if (pool == null) {
      return toLeakAwareBuffer(new UnpooledByteBuf(this, source, initialCapacity, maxCapacity));
    }
    PooledByteBuf buffer = (PooledByteBuf) pool.allocate(initialCapacity);
    try {
      buffer.reuse(initialCapacity, maxCapacity);
      return LeakSettings.isByCount() ? toLeakAwareBuffer(buffer) : buffer;
    } catch (Throwable failed) {
      buffer.deallocate(); // otherwise the slot leaks: the caller has no reference
      throw failed;
    }
  }

  /** Returns the pool of a kind of memory, or null if that kind has 0 arenas. */
  @Nullable BufferPool poolOrNull(boolean direct) {
    return direct ? directPool : heapPool;
  }

  /** Returns the pool of a kind of memory, which has arenas. */
  BufferPool pool(boolean direct) {
    return Objects.requireNonNull(poolOrNull(direct), "no arenas of this kind of memory");
  }

  AllocatorSettings settings() {
    return settings;
  }

  long usedBytes(boolean direct) {
    return direct ? directSource.ownBytes() : heapSource.usedBytes();
  }

  /** Returns the default number of arenas for heap buffers. */
  public static int defaultNumHeapArena() {
    return PROCESS.heapArenas();
  }

  /** Returns the default number of arenas for direct buffers. */
  public static int defaultNumDirectArena() {
    return PROCESS.directArenas();
  }

  /** Returns the default page size in bytes. */
  public static int defaultPageSize() {
    return PROCESS.pageBytes();
  }

  /** Returns the default order of a chunk. */
  public static int defaultMaxOrder() {
    return PROCESS.maxOrder();
  }

  /** Returns whether {@link #DEFAULT} prefers direct buffers. */
  public static boolean defaultPreferDirect() {
    return PREFER_DIRECT;
  }

  /** Returns the default {@link CacheSettings#smallCacheSize}. */
  public static int defaultSmallCacheSize() {
    return PROCESS.caches().smallCacheSize();
  }

  /** Returns the default {@link CacheSettings#normalCacheSize}. */
  public static int defaultNormalCacheSize() {
    return PROCESS.caches().normalCacheSize();
  }

  /** Returns the default {@link CacheSettings#threadCaches}. */
  public static boolean defaultUseCacheForAllThreads() {
    return PROCESS.caches().threadCaches();
  }

  /** Returns false: caches have no finalizers; the pool finds the cache of a dead thread. */
  public static boolean defaultDisableCacheFinalizersForFastThreadLocalThreads() {
    return false;
  }

  /** Returns true: direct buffers can be aligned. */
  public static boolean isDirectMemoryCacheAlignmentSupported() {
    return true;
  }

  @Override
  public boolean isDirectBufferPooled() {
    return directPool != null;
  }

  @Override
  public PooledByteBufAllocatorMetric metric() {
    return metric;
  }

  /** Returns the size of a chunk in bytes. */
  public final int chunkSize() {
    return settings.chunkBytes();
  }

  /** Returns the bytes of heap slots in use. */
  public final long pinnedHeapMemory() {
    return pinned(heapPool);
  }

  /** Returns the bytes of direct slots in use. */
  public final long pinnedDirectMemory() {
    return pinned(directPool);
  }

  private static long pinned(@Nullable BufferPool pool) {
    return pool == null ? 0 : pool.snapshot().pinnedBytes();
  }

  /**
   * Trims the caches of the calling thread: they return memory that they do not need.
   *
   * @return true if the allocator has a pool
   */
  public boolean trimCurrentThreadCache() {
    pools().forEach(BufferPool::trimCurrentThreadCache);
    return pools().findAny().isPresent();
  }

  /** Retires the caches of the calling thread; its next allocation creates new ones. */
  public void freeThreadLocalCache() {
    pools().forEach(BufferPool::freeCurrentThreadCache);
  }

  /** Returns the pools: one for each kind of memory that is pooled. */
  Stream<BufferPool> pools() {
    return Stream.of(directPool, heapPool).flatMap(Stream::ofNullable);
  }

  /** Returns the statistics of both pools as text. */
  public String dumpStats() {
    return dump("heap", heapPool) + dump("direct", directPool);
  }

  private static String dump(String kind, @Nullable BufferPool pool) {
    if (pool == null) {
      return kind + ": not pooled\n";
    }
    PoolSnapshot snapshot = pool.snapshot();
    return ("%s: reserved %s = pinned %s + cached %s + free %s bytes, %s arenas, %s thread caches,"
            + " %s subpages\n")
        .formatted(
            kind,
            snapshot.reservedBytes(),
            snapshot.pinnedBytes(),
            snapshot.cachedBytes(),
            snapshot.freeBytes(),
            snapshot.arenas(),
            snapshot.threadCaches(),
            snapshot.subpages());
  }
}
