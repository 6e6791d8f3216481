/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.util.Settings;

/**
 * The settings of a pooled allocator (seed row A16): by default those of the process, {@code
 * -Dcistern.allocator.*}. All sizes are in bytes.
 *
 * @param heapArenas arenas for heap buffers; 0: heap buffers are not pooled
 * @param directArenas arenas for direct buffers; 0: direct buffers are not pooled
 * @param pageBytes size of a page, a power of two
 * @param maxOrder a chunk has 2^maxOrder pages
 * @param smallCacheSize 0 turns thread caches off for small sizes, and with {@code normalCacheSize}
 *     0 altogether
 * @param normalCacheSize free runs of 32 KiB that a thread cache may hold, or as many bytes
 * @param threadCaches whether plain threads get caches of their own
 * @param alignment alignment of direct buffers, 0 or a power of two
 * @param trimIntervalAllocations a thread cache trims itself after so many allocations
 * @param decayMillis how long empty chunks wait for their next use
 */
record AllocatorSettings(
    int heapArenas,
    int directArenas,
    int pageBytes,
    int maxOrder,
    int smallCacheSize,
    int normalCacheSize,
    boolean threadCaches,
    int alignment,
    int trimIntervalAllocations,
    long decayMillis) {

  private static final int LEAST_PAGE_BYTES = 4096;
  private static final int MOST_CHUNK_BYTES = 1 << 30;
  private static final int CACHED_RUN_BYTES = 32 << 10;

  /** Chunks that each arena may have before the arenas are too many for the memory. */
  private static final int CHUNKS_PER_ARENA = 3;

  AllocatorSettings {
    require(heapArenas >= 0, "nHeapArena", heapArenas, ">= 0");
    require(directArenas >= 0, "nDirectArena", directArenas, ">= 0");
    require(
        pageBytes >= LEAST_PAGE_BYTES && Integer.bitCount(pageBytes) == 1,
        "pageSize",
        pageBytes,
        "a power of two, at least " + LEAST_PAGE_BYTES);
    require(
        maxOrder >= 0 && maxOrder <= 14 && (long) pageBytes << maxOrder <= MOST_CHUNK_BYTES,
        "maxOrder",
        maxOrder,
        "0 to 14, with pageSize << maxOrder at most " + MOST_CHUNK_BYTES);
    require(smallCacheSize >= 0, "smallCacheSize", smallCacheSize, ">= 0");
    require(normalCacheSize >= 0, "normalCacheSize", normalCacheSize, ">= 0");
    require(
        alignment >= 0 && Integer.bitCount(alignment) <= 1,
        "directMemoryCacheAlignment",
        alignment,
        "0 or a power of two");
  }

  private static void require(boolean valid, String name, int value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }

  /** The settings of this process. */
  static AllocatorSettings ofProcess() {
    int pageBytes = powerOfTwo("allocator.pageSize", 8192, LEAST_PAGE_BYTES, 1 << 20);
    int maxOrder = maxOrder(pageBytes);
    int chunkBytes = pageBytes << maxOrder;
    int cores = Runtime.getRuntime().availableProcessors();
    return new AllocatorSettings(
        Settings.number(
            "allocator.numHeapArenas",
            defaultArenas(cores, Runtime.getRuntime().maxMemory(), chunkBytes),
            0,
            4096),
        Settings.number(
            "allocator.numDirectArenas",
            defaultArenas(cores, DirectMemoryLimit.shared().limitBytes(), chunkBytes),
            0,
            4096),
        pageBytes,
        maxOrder,
        Settings.number("allocator.smallCacheSize", 256, 0, Integer.MAX_VALUE),
        Settings.number("allocator.normalCacheSize", 64, 0, 1 << 16),
        Settings.flag("allocator.useCacheForAllThreads", true),
        powerOfTwo("allocator.directMemoryCacheAlignment", 0, 0, pageBytes),
        powerOfTwo("allocator.cacheTrimInterval", 8192, 1, 1 << 30),
        Settings.number("allocator.decayMillis", 10_000L, 0L, Long.MAX_VALUE / 1_000_000));
  }

  private static int maxOrder(int pageBytes) {
    int most = Integer.numberOfTrailingZeros(MOST_CHUNK_BYTES / pageBytes);
    return Settings.number("allocator.maxOrder", 9, 5, Math.min(14, most));
  }

  private static int powerOfTwo(String key, int defaultValue, int minimum, int maximum) {
    int value = Settings.number(key, defaultValue, minimum, maximum);
    return Integer.bitCount(value) <= 1 ? value : Integer.highestOneBit(value);
  }

  /**
   * Twice the cores, fewer where the memory is small: the arenas together use at most half of it
   * when each has a few chunks (seed row A1).
   */
  static int defaultArenas(int cores, long memoryBytes, int chunkBytes) {
    long byMemory = memoryBytes / 2 / CHUNKS_PER_ARENA / chunkBytes;
    return (int) Math.max(0, Math.min(2L * cores, byMemory));
  }

  /** Size of a chunk. */
  int chunkBytes() {
    return pageBytes << maxOrder;
  }

  /** The most bytes of free runs in a thread cache. */
  long runCacheBytes() {
    return (long) normalCacheSize * CACHED_RUN_BYTES;
  }

  /** Whether there are thread caches at all. */
  boolean anyThreadCaches() {
    return threadCaches && (smallCacheSize > 0 || normalCacheSize > 0);
  }

  AllocatorSettings withArenas(int heap, int direct) {
    return new AllocatorSettings(
        heap,
        direct,
        pageBytes,
        maxOrder,
        smallCacheSize,
        normalCacheSize,
        threadCaches,
        alignment,
        trimIntervalAllocations,
        decayMillis);
  }

  AllocatorSettings withPages(int newPageBytes, int newMaxOrder) {
    return new AllocatorSettings(
        heapArenas,
        directArenas,
        newPageBytes,
        newMaxOrder,
        smallCacheSize,
        normalCacheSize,
        threadCaches,
        alignment,
        trimIntervalAllocations,
        decayMillis);
  }

  AllocatorSettings withCaches(int small, int normal, boolean forAllThreads) {
    return new AllocatorSettings(
        heapArenas,
        directArenas,
        pageBytes,
        maxOrder,
        small,
        normal,
        forAllThreads,
        alignment,
        trimIntervalAllocations,
        decayMillis);
  }

  AllocatorSettings withAlignment(int newAlignment) {
    return new AllocatorSettings(
        heapArenas,
        directArenas,
        pageBytes,
        maxOrder,
        smallCacheSize,
        normalCacheSize,
        threadCaches,
        newAlignment,
        trimIntervalAllocations,
        decayMillis);
  }
}
