/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.AllocatorSettings.requirePowerOfTwo;
import static dev.cistern.pool.PoolSettings.requireRange;

import dev.cistern.util.internal.Settings;

/**
 * Settings of the memory that an allocator caches, and for how long. All sizes are in bytes.
 *
 * @param smallCacheSize 0, with {@code normalCacheSize} 0: no thread caches
 * @param normalCacheSize limit of the free memory in each thread cache, in units of 32 KiB. It
 *     holds for free runs, and separately for subpages below 32 KiB without a slot in use; both
 *     together may exceed it by a quarter. The groups that the cache allocates from do not count,
 *     nor does one run above the limit, up to twice as large. The same limit holds for each shared
 *     cache; if this is 0 and there are no thread caches, shared caches have the default limit
 * @param threadCaches whether each plain thread has its own cache
 * @param sharedCaches number of caches for the threads without their own cache, 1 to 4,096
 * @param extentCacheBytes maximum bytes of free memory that is kept for buffers above the chunk
 *     size
 * @param trimIntervalAllocations number of allocations of a size class after which the thread cache
 *     trims that class; each 64th time, or after a tick, it trims all classes; a power of two
 * @param decayMillis time that empty chunks and extents wait for their next use, in milliseconds
 * @param idleCacheMillis time without use after which the cache of a sleeping thread is retired, in
 *     milliseconds; 0: never
 */
public record CacheSettings(
    int smallCacheSize,
    int normalCacheSize,
    boolean threadCaches,
    int sharedCaches,
    long extentCacheBytes,
    int trimIntervalAllocations,
    long decayMillis,
    long idleCacheMillis) {

  private static final int CACHED_RUN_BYTES = 32 << 10;
  private static final int DEFAULT_CACHED_RUNS = 64;
  private static final int MAX_SHARED_CACHES = 4096;
  private static final long MAX_MILLIS = Long.MAX_VALUE / 1_000_000;

  /**
   * Creates settings.
   *
   * @throws IllegalArgumentException for a value outside these ranges
   */
  public CacheSettings {
    requireRange("smallCacheSize", smallCacheSize, 0, Integer.MAX_VALUE);
    requireRange("normalCacheSize", normalCacheSize, 0, Integer.MAX_VALUE);
    requireRange("sharedCaches", sharedCaches, 1, MAX_SHARED_CACHES);
    requireRange("extentCacheBytes", extentCacheBytes, 0, Long.MAX_VALUE);
    requirePowerOfTwo("cacheTrimInterval", trimIntervalAllocations, 1);
    requireRange("decayMillis", decayMillis, 0, MAX_MILLIS);
    requireRange("idleCacheMillis", idleCacheMillis, 0, MAX_MILLIS);
  }

  /** Returns the settings of this process. */
  public static CacheSettings ofProcess() {
    int defaultShared = 2 * Runtime.getRuntime().availableProcessors();
    long decayMillis = Settings.number("allocator.decayMillis", 10_000L, 0L, MAX_MILLIS);
    return new CacheSettings(
        Settings.number("allocator.smallCacheSize", 256, 0, Integer.MAX_VALUE),
        Settings.number("allocator.normalCacheSize", DEFAULT_CACHED_RUNS, 0, 1 << 16),
        Settings.flag("allocator.useCacheForAllThreads", true),
        Settings.number(
            "allocator.sharedCaches",
            Math.min(defaultShared, MAX_SHARED_CACHES),
            1,
            MAX_SHARED_CACHES),
        Settings.number("allocator.extentCacheBytes", 256L << 20, 0L, Long.MAX_VALUE),
        Settings.powerOfTwo("allocator.cacheTrimInterval", 8192, 1, 1 << 30),
        decayMillis,
        Settings.number("allocator.idleCacheMillis", Math.max(1, decayMillis), 0L, MAX_MILLIS));
  }

  CacheSettings with(int small, int normal, boolean forAllThreads) {
    return new CacheSettings(
        small,
        normal,
        forAllThreads,
        sharedCaches,
        extentCacheBytes,
        trimIntervalAllocations,
        decayMillis,
        idleCacheMillis);
  }

  /** Returns the maximum bytes of free runs and subpages in a thread cache or a shared cache. */
  long idleBytes() {
    boolean onlyShared = normalCacheSize == 0 && !anyThreadCaches();
    return (long) (onlyShared ? DEFAULT_CACHED_RUNS : normalCacheSize) * CACHED_RUN_BYTES;
  }

  /** Returns whether threads have caches. */
  boolean anyThreadCaches() {
    return threadCaches && (smallCacheSize > 0 || normalCacheSize > 0);
  }
}
