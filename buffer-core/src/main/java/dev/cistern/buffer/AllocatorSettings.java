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
 * @param pageBytes size of a page, a power of two, at least 4,096
 * @param maxOrder a chunk has 2^maxOrder pages, at least 32 and at most 1 GiB: 5 to 14
 * @param alignment alignment of direct buffers, 0 or a power of two
 * @param caches what is kept for later use
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

  private static final int LEAST_PAGE_BYTES = 4096;
  private static final int MOST_CHUNK_BYTES = 1 << 30;

  /** A chunk has at least 32 pages. */
  private static final int LEAST_MAX_ORDER = 5;

  private static final int MOST_MAX_ORDER = 14;

  /** Chunks that each arena may have before the arenas are too many for the memory. */
  private static final int CHUNKS_PER_ARENA = 3;

  /**
   * @throws IllegalArgumentException for a value outside of what is said here
   */
  public AllocatorSettings {
    require(heapArenas >= 0, "nHeapArena", heapArenas, ">= 0");
    require(directArenas >= 0, "nDirectArena", directArenas, ">= 0");
    require(
        pageBytes >= LEAST_PAGE_BYTES && Integer.bitCount(pageBytes) == 1,
        "pageSize",
        pageBytes,
        "a power of two, at least " + LEAST_PAGE_BYTES);
    require(
        maxOrder >= LEAST_MAX_ORDER
            && maxOrder <= MOST_MAX_ORDER
            && (long) pageBytes << maxOrder <= MOST_CHUNK_BYTES,
        "maxOrder",
        maxOrder,
        LEAST_MAX_ORDER
            + " to "
            + MOST_MAX_ORDER
            + ", with pageSize << maxOrder at most "
            + MOST_CHUNK_BYTES);
    require(
        alignment >= 0 && Integer.bitCount(alignment) <= 1,
        "directMemoryCacheAlignment",
        alignment,
        "0 or a power of two");
  }

  static void require(boolean valid, String name, long value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }

  /** The settings of this process. */
  public static AllocatorSettings ofProcess() {
    int pageBytes = Settings.powerOfTwo("allocator.pageSize", 8192, LEAST_PAGE_BYTES, 1 << 20);
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
        Settings.powerOfTwo("allocator.directMemoryCacheAlignment", 0, 0, pageBytes),
        CacheSettings.ofProcess());
  }

  private static int maxOrder(int pageBytes) {
    int most = Integer.numberOfTrailingZeros(MOST_CHUNK_BYTES / pageBytes);
    return Settings.number(
        "allocator.maxOrder", 9, LEAST_MAX_ORDER, Math.min(MOST_MAX_ORDER, most));
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

  /** These with other arenas. */
  public AllocatorSettings withArenas(int heap, int direct) {
    return new AllocatorSettings(heap, direct, pageBytes, maxOrder, alignment, caches);
  }

  /** These with other pages and chunks. */
  public AllocatorSettings withPages(int newPageBytes, int newMaxOrder) {
    return new AllocatorSettings(
        heapArenas, directArenas, newPageBytes, newMaxOrder, alignment, caches);
  }

  /** These with another alignment. */
  public AllocatorSettings withAlignment(int newAlignment) {
    return new AllocatorSettings(
        heapArenas, directArenas, pageBytes, maxOrder, newAlignment, caches);
  }

  /** These with other caches. */
  public AllocatorSettings withCaches(CacheSettings newCaches) {
    return new AllocatorSettings(
        heapArenas, directArenas, pageBytes, maxOrder, alignment, newCaches);
  }

  /** The allocator of who does not choose one. */
  static ByteBufAllocator defaultAllocator() {
    return Settings.choice("allocator.type", Type.POOLED) == Type.POOLED
        ? PooledByteBufAllocator.DEFAULT
        : UnpooledByteBufAllocator.DEFAULT;
  }
}
