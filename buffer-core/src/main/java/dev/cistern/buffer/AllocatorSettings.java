/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.pool.PoolSettings.requireRange;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.util.internal.Settings;

/**
 * Settings of a pooled allocator. The defaults are the settings of the process, {@code
 * -Dcistern.allocator.*}. All sizes are in bytes.
 *
 * @param heapArenas arenas for heap buffers; 0: heap buffers are not pooled
 * @param directArenas arenas for direct buffers; 0: direct buffers are not pooled
 * @param pageBytes size of a page, a power of two, at least 4,096
 * @param maxOrder a chunk has 2^maxOrder pages, at least 32 and up to 1 GiB: 5 to 14
 * @param alignment alignment of direct buffers, 0 or a power of two
 * @param caches settings of the caches
 */
public record AllocatorSettings(
    int heapArenas,
    int directArenas,
    int pageBytes,
    int maxOrder,
    int alignment,
    CacheSettings caches) {

  /** Values of {@code cistern.allocator.type}. */
  private enum Type {
    POOLED,
    UNPOOLED
  }

  private static final int MIN_PAGE_BYTES = 4096;
  private static final int MAX_CHUNK_BYTES = 1 << 30;

  /** Order of a chunk of 32 pages. */
  private static final int MIN_MAX_ORDER = 5;

  private static final int MAX_MAX_ORDER = 14;

  /** Number of chunks of an arena from which the default number of arenas is calculated. */
  private static final int CHUNKS_PER_ARENA = 3;

  /**
   * Creates settings.
   *
   * @throws IllegalArgumentException for a value outside these ranges
   */
  public AllocatorSettings {
    requireRange("nHeapArena", heapArenas, 0, Integer.MAX_VALUE);
    requireRange("nDirectArena", directArenas, 0, Integer.MAX_VALUE);
    requirePowerOfTwo("pageSize", pageBytes, MIN_PAGE_BYTES);
    requireRange("maxOrder", maxOrder, MIN_MAX_ORDER, MAX_MAX_ORDER);
    requireRange("pageSize << maxOrder", (long) pageBytes << maxOrder, 0, MAX_CHUNK_BYTES);
    requirePowerOfTwo("directMemoryCacheAlignment", alignment, 0);
  }

  /** Fails unless a value is a power of two from a minimum on; with a minimum of 0, 0 is valid. */
  static void requirePowerOfTwo(String name, int value, int minimum) {
    if (value < minimum || Integer.bitCount(value) > 1) {
      String or = minimum == 0 ? "0 or a power of two" : "a power of two >= " + minimum;
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + or + ")");
    }
  }

  /** Returns the settings of this process. */
  public static AllocatorSettings ofProcess() {
    int pageBytes = Settings.powerOfTwo("allocator.pageSize", 8192, MIN_PAGE_BYTES, 1 << 20);
    int maxOrderOfChunk = Integer.numberOfTrailingZeros(MAX_CHUNK_BYTES / pageBytes);
    int maxOrder =
        Settings.number(
            "allocator.maxOrder", 9, MIN_MAX_ORDER, Math.min(MAX_MAX_ORDER, maxOrderOfChunk));
    int chunkBytes = pageBytes << maxOrder;
    return new AllocatorSettings(
        arenas("allocator.numHeapArenas", Runtime.getRuntime().maxMemory(), chunkBytes),
        arenas("allocator.numDirectArenas", DirectMemoryLimit.shared().limitBytes(), chunkBytes),
        pageBytes,
        maxOrder,
        Settings.powerOfTwo("allocator.directMemoryCacheAlignment", 0, 0, pageBytes),
        CacheSettings.ofProcess());
  }

  private static int arenas(String key, long memoryBytes, int chunkBytes) {
    int cores = Runtime.getRuntime().availableProcessors();
    return Settings.number(key, defaultArenas(cores, memoryBytes, chunkBytes), 0, 4096);
  }

  /**
   * Returns twice the number of cores, or less if the memory is small: the arenas together use up
   * to half of the memory if each has three chunks.
   */
  static int defaultArenas(int cores, long memoryBytes, int chunkBytes) {
    long byMemory = memoryBytes / 2 / CHUNKS_PER_ARENA / chunkBytes;
    return (int) Math.max(0, Math.min(2L * cores, byMemory));
  }

  /** Returns the size of a chunk. */
  int chunkBytes() {
    return pageBytes << maxOrder;
  }

  /** Returns a copy with other numbers of arenas. */
  public AllocatorSettings withArenas(int heap, int direct) {
    return new AllocatorSettings(heap, direct, pageBytes, maxOrder, alignment, caches);
  }

  /** Returns a copy with other sizes of pages and chunks. */
  public AllocatorSettings withPages(int newPageBytes, int newMaxOrder) {
    return new AllocatorSettings(
        heapArenas, directArenas, newPageBytes, newMaxOrder, alignment, caches);
  }

  /** Returns a copy with another alignment. */
  public AllocatorSettings withAlignment(int newAlignment) {
    return new AllocatorSettings(
        heapArenas, directArenas, pageBytes, maxOrder, newAlignment, caches);
  }

  /** Returns a copy with other settings of caches. */
  public AllocatorSettings withCaches(CacheSettings newCaches) {
    return new AllocatorSettings(
        heapArenas, directArenas, pageBytes, maxOrder, alignment, newCaches);
  }

  /** Returns the allocator that {@code cistern.allocator.type} selects. */
  static ByteBufAllocator defaultAllocator() {
    return Settings.choice("allocator.type", Type.POOLED) == Type.POOLED
        ? PooledByteBufAllocator.DEFAULT
        : UnpooledByteBufAllocator.DEFAULT;
  }
}
