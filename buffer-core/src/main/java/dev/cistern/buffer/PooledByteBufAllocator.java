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
import dev.cistern.util.Settings;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Hands out buffers of two pools, one of direct and one of heap memory (seed rows A1, A12, A16).
 *
 * <p>Each setting has a system property {@code cistern.allocator.<name>}: {@code numHeapArenas},
 * {@code numDirectArenas}, {@code pageSize}, {@code maxOrder}, {@code smallCacheSize}, {@code
 * normalCacheSize}, {@code useCacheForAllThreads}, {@code directMemoryCacheAlignment}, {@code
 * cacheTrimInterval}, {@code decayMillis}, {@code idleCacheMillis}, {@code sharedCaches}, {@code
 * extentCacheBytes}, {@code preferDirect}. With 0 arenas of a kind, buffers of that kind are not
 * pooled. All allocators together take at most {@code cistern.maxDirectMemory} bytes of direct
 * memory (seed row A15). Effective values are logged at debug level.
 */
public class PooledByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {
  private static final AllocatorSettings PROCESS = AllocatorSettings.ofProcess();
  private static final boolean PREFER_DIRECT = Settings.flag("allocator.preferDirect", true);

  /** The allocator of who does not make one. */
  public static final PooledByteBufAllocator DEFAULT = new PooledByteBufAllocator(PREFER_DIRECT);

  private final AllocatorSettings settings;
  private final MemorySource heapSource;
  private final DirectMemorySource directSource;
  private final @Nullable BufferPool heapPool;
  private final @Nullable BufferPool directPool;
  private final PooledByteBufAllocatorMetric metric;

  /** Prefers heap buffers; all else by the settings of the process. */
  public PooledByteBufAllocator() {
    this(false);
  }

  /**
   * All else by the settings of the process.
   *
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   */
  public PooledByteBufAllocator(boolean preferDirect) {
    this(preferDirect, PROCESS);
  }

  /** As the constructor with all settings; heap buffers are preferred. */
  public PooledByteBufAllocator(int nHeapArena, int nDirectArena, int pageSize, int maxOrder) {
    this(false, nHeapArena, nDirectArena, pageSize, maxOrder);
  }

  /** As the constructor with all settings; those of caches are the process's. */
  public PooledByteBufAllocator(
      boolean preferDirect, int nHeapArena, int nDirectArena, int pageSize, int maxOrder) {
    this(preferDirect, PROCESS.withArenas(nHeapArena, nDirectArena).withPages(pageSize, maxOrder));
  }

  /** As the constructor with all settings; the alignment is the process's. */
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
        defaultDirectMemoryCacheAlignment());
  }

  /**
   * @param preferDirect true if {@link #buffer()} makes direct buffers
   * @param nHeapArena arenas for heap buffers; 0: heap buffers are not pooled
   * @param nDirectArena arenas for direct buffers; 0: direct buffers are not pooled
   * @param pageSize size of a page in bytes, a power of two, at least 4,096
   * @param maxOrder a chunk has 2^maxOrder pages, at least 32 and at most 1 GiB
   * @param smallCacheSize 0, with {@code normalCacheSize} 0: no thread caches
   * @param normalCacheSize see {@link CacheSettings}
   * @param useCacheForAllThreads false: threads share caches instead of having one each
   * @param directMemoryCacheAlignment alignment of direct buffers in bytes, 0 or a power of two
   * @throws IllegalArgumentException for a value outside of what is said here
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
   * With every setting, those that the other constructors take from the process among them.
   *
   * @param preferDirect true if {@link #buffer()} makes direct buffers
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
    BufferPool pool = heapPool;
    if (pool == null) {
      return toLeakAwareBuffer(new UnpooledByteBuf(this, heapSource, initialCapacity, maxCapacity));
    }
    PooledByteBuf buffer = (PooledByteBuf) pool.allocate(initialCapacity);
    try {
      buffer.reuse(initialCapacity, maxCapacity);
      return LeakSettings.isByCount() ? toLeakAwareBuffer(buffer) : buffer;
    } catch (Throwable failed) {
      buffer.deallocate(); // the caller does not get it
      throw failed;
    }
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    BufferPool pool = directPool;
    if (pool == null) {
      return toLeakAwareBuffer(
          new UnpooledByteBuf(this, directSource, initialCapacity, maxCapacity));
    }
    PooledByteBuf buffer = (PooledByteBuf) pool.allocate(initialCapacity);
    try {
      buffer.reuse(initialCapacity, maxCapacity);
      return LeakSettings.isByCount() ? toLeakAwareBuffer(buffer) : buffer;
    } catch (Throwable failed) {
      buffer.deallocate(); // the caller does not get it
      throw failed;
    }
  }

  /** The pool of a kind, null with 0 arenas. */
  @Nullable BufferPool poolOrNull(boolean direct) {
    return direct ? directPool : heapPool;
  }

  /** The pool that a pooled buffer of that kind came from. */
  BufferPool pool(boolean direct) {
    BufferPool pool = poolOrNull(direct);
    if (pool == null) {
      throw new IllegalStateException("no arenas of this kind of memory");
    }
    return pool;
  }

  AllocatorSettings settings() {
    return settings;
  }

  long usedBytes(boolean direct) {
    return direct ? directSource.ownBytes() : heapSource.usedBytes();
  }

  /** The arenas for heap buffers that an allocator gets by default. */
  public static int defaultNumHeapArena() {
    return PROCESS.heapArenas();
  }

  /** The arenas for direct buffers that an allocator gets by default. */
  public static int defaultNumDirectArena() {
    return PROCESS.directArenas();
  }

  /** The page size in bytes that an allocator gets by default. */
  public static int defaultPageSize() {
    return PROCESS.pageBytes();
  }

  /** The order of a chunk that an allocator gets by default. */
  public static int defaultMaxOrder() {
    return PROCESS.maxOrder();
  }

  /** Whether {@link #DEFAULT} prefers direct buffers. */
  public static boolean defaultPreferDirect() {
    return PREFER_DIRECT;
  }

  /** The setting for small sizes that an allocator gets by default. */
  public static int defaultSmallCacheSize() {
    return PROCESS.caches().smallCacheSize();
  }

  /** The runs that a thread cache keeps by default. */
  public static int defaultNormalCacheSize() {
    return PROCESS.caches().normalCacheSize();
  }

  /** Whether plain threads get caches of their own by default. */
  public static boolean defaultUseCacheForAllThreads() {
    return PROCESS.caches().threadCaches();
  }

  /** False: thread caches have no finalizers; a dead thread's is found by the pool. */
  public static boolean defaultDisableCacheFinalizersForFastThreadLocalThreads() {
    return false;
  }

  private static int defaultDirectMemoryCacheAlignment() {
    return PROCESS.alignment();
  }

  /** True: direct buffers can be aligned. */
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

  /** Size of a chunk in bytes. */
  public final int chunkSize() {
    return settings.chunkBytes();
  }

  /** Bytes of heap slots that callers hold. */
  public final long pinnedHeapMemory() {
    return pinned(heapPool);
  }

  /** Bytes of direct slots that callers hold. */
  public final long pinnedDirectMemory() {
    return pinned(directPool);
  }

  private static long pinned(@Nullable BufferPool pool) {
    return pool == null ? 0 : pool.snapshot().pinnedBytes();
  }

  /**
   * Gives back what the calling thread's caches hold and do not need (seed row A9).
   *
   * @return true if there was a pool to trim
   */
  public boolean trimCurrentThreadCache() {
    if (heapPool != null) {
      heapPool.trimCurrentThreadCache();
    }
    if (directPool != null) {
      directPool.trimCurrentThreadCache();
    }
    return heapPool != null || directPool != null;
  }

  /**
   * Gives up the calling thread's caches (seed row A10); they come anew when it allocates again.
   */
  public void freeThreadLocalCache() {
    if (heapPool != null) {
      heapPool.freeCurrentThreadCache();
    }
    if (directPool != null) {
      directPool.freeCurrentThreadCache();
    }
  }

  /** The figures of both pools as text, for people. */
  public String dumpStats() {
    return dump("heap", heapPool) + dump("direct", directPool);
  }

  private static String dump(String kind, @Nullable BufferPool pool) {
    if (pool == null) {
      return kind + ": not pooled\n";
    }
    PoolSnapshot snapshot = pool.snapshot();
    return String.format(
        Locale.ROOT,
        "%s: reserved %d = pinned %d + cached %d + free %d bytes, %d arenas, %d thread caches, "
            + "%d subpages\n",
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
