/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a pool. All sizes are in bytes. {@link BufferPool#builder} returns their builder;
 * {@link Builder} lists the defaults.
 *
 * @param kind kind of memory
 * @param arenas number of arenas, 1 to 4,096
 * @param pageBytes size of a page, a power of two from 4 KiB to 1 MiB
 * @param chunkBytes size of a chunk, a power of two from 32 pages to 1 GiB
 * @param alignment slots start at multiples of this power of two, and their sizes are multiples of
 *     it; up to the page size; 0 for none
 * @param threadCaches whether each platform thread has its own cache
 * @param sharedCaches number of caches that threads without their own cache share, 1 to 4,096
 * @param idleBytesPerThread maximum bytes of idle groups of small slots in a thread cache, and of
 *     its other idle groups; both together up to a quarter more. Current subpages do not count;
 *     current runs do. If no group of a kind is idle, one may be up to twice as large; 0 for none
 * @param extentCacheBytes maximum bytes of free extents that the pool keeps
 * @param trimIntervalAllocations number of allocations of a size class after which the thread cache
 *     trims that class; each 64th time, or after a tick, it trims all classes; a power of two
 * @param decayMillis time that the pool keeps empty chunks and free extents, in milliseconds
 * @param idleCacheMillis time without use after which a sleeping thread, or one that is nearly
 *     idle, loses its cache, in milliseconds; 0 for never. Has no effect if the pool cannot prove
 *     that the thread sleeps, as in JVMs other than HotSpot
 * @param sampleIntervalBytes mean number of bytes between two samples; 0 for no sampling
 * @param quarantineBytes maximum bytes of slots in quarantine after {@link
 *     SlotGroup#releaseToQuarantine}; 0 for none
 * @param hasMaintenanceThread whether the JVM's maintenance thread ticks the pool; otherwise the
 *     caller does
 * @param reclaimable whether other users of the memory source call {@link BufferPool#tryFreeOne}
 *     when they need memory. Then the pool keeps all its empty chunks until they decay, otherwise
 *     up to an eighth of the source's limit
 */
public record PoolSettings(
    MemoryKind kind,
    int arenas,
    int pageBytes,
    int chunkBytes,
    int alignment,
    boolean threadCaches,
    int sharedCaches,
    long idleBytesPerThread,
    long extentCacheBytes,
    int trimIntervalAllocations,
    long decayMillis,
    long idleCacheMillis,
    long sampleIntervalBytes,
    long quarantineBytes,
    boolean hasMaintenanceThread,
    boolean reclaimable) {

  private static final int MIN_PAGES = 32;

  /** The maximum number of arenas, and of shared caches. */
  private static final int MAX_COUNT = 4096;

  /**
   * Checks all values.
   *
   * @throws IllegalArgumentException if a value is outside of its range
   */
  public PoolSettings {
    requireRange("arenas", arenas, 1, MAX_COUNT);
    requirePowerOfTwo("pageBytes", pageBytes, 4 << 10, 1 << 20);
    requirePowerOfTwo("chunkBytes", chunkBytes, MIN_PAGES * pageBytes, 1 << 30);
    if (alignment != 0) {
      requirePowerOfTwo("alignment", alignment, 1, pageBytes);
    }
    requireRange("sharedCaches", sharedCaches, 1, MAX_COUNT);
    requireRange("idleBytesPerThread", idleBytesPerThread, 0, Long.MAX_VALUE);
    requireRange("extentCacheBytes", extentCacheBytes, 0, Long.MAX_VALUE);
    requirePowerOfTwo("trimIntervalAllocations", trimIntervalAllocations, 1, 1 << 30);
    requireRange("decayMillis", decayMillis, 0, Long.MAX_VALUE);
    requireRange("idleCacheMillis", idleCacheMillis, 0, Long.MAX_VALUE);
    requireRange("sampleIntervalBytes", sampleIntervalBytes, 0, Long.MAX_VALUE);
    requireRange("quarantineBytes", quarantineBytes, 0, Long.MAX_VALUE);
  }

  /** Fails unless a value is in its range. */
  public static void requireRange(String name, long value, long min, long max) {
    require(value >= min && value <= max, name, value, min + " to " + max);
  }

  private static void requirePowerOfTwo(String name, int value, int min, int max) {
    boolean isValid = Integer.bitCount(value) == 1 && value >= min && value <= max;
    require(isValid, name, value, "a power of two, " + min + " to " + max);
  }

  private static void require(boolean isValid, String name, long value, String expected) {
    if (!isValid) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }

  /** A builder of a pool. Each setting has a default; {@link PoolSettings} lists the ranges. */
  public static final class Builder {
    private final MemoryKind kind;
    private final MemorySource source;
    private final SlotBinder binder;
    private int arenas = Math.min(2 * Runtime.getRuntime().availableProcessors(), MAX_COUNT);
    private int pageBytes = 8 << 10;
    private int chunkBytes = 4 << 20;
    private int alignment;
    private boolean threadCaches = true;
    private int sharedCaches = arenas;
    private long idleBytesPerThread = 2L << 20;
    private long extentCacheBytes = 256L << 20;
    private int trimIntervalAllocations = 8192;
    private long decayMillis = 10_000;
    private @Nullable Long idleCacheMillis;
    private long sampleIntervalBytes;
    private long quarantineBytes = 8L << 20;
    private boolean hasMaintenanceThread = true;
    private boolean reclaimable;

    Builder(MemoryKind kind, MemorySource source, SlotBinder binder) {
      this.kind = kind;
      this.source = source;
      this.binder = binder;
    }

    /** Sets the number of arenas; by default twice the number of cores. */
    public Builder arenas(int arenas) {
      this.arenas = arenas;
      return this;
    }

    /** Sets the size of a page; by default 8 KiB. */
    public Builder pageBytes(int pageBytes) {
      this.pageBytes = pageBytes;
      return this;
    }

    /** Sets the size of a chunk; by default 4 MiB. */
    public Builder chunkBytes(int chunkBytes) {
      this.chunkBytes = chunkBytes;
      return this;
    }

    /** Sets the alignment of slots; by default 0, which is none. */
    public Builder alignment(int alignment) {
      this.alignment = alignment;
      return this;
    }

    /** Sets whether each platform thread has its own cache; by default true. */
    public Builder threadCaches(boolean threadCaches) {
      this.threadCaches = threadCaches;
      return this;
    }

    /** Sets the number of shared caches; by default twice the number of cores. */
    public Builder sharedCaches(int sharedCaches) {
      this.sharedCaches = sharedCaches;
      return this;
    }

    /** Sets the maximum bytes of idle groups of each kind in a thread cache; by default 2 MiB. */
    public Builder idleBytesPerThread(long idleBytesPerThread) {
      this.idleBytesPerThread = idleBytesPerThread;
      return this;
    }

    /** Sets the maximum bytes of free extents that the pool keeps; by default 256 MiB. */
    public Builder extentCacheBytes(long extentCacheBytes) {
      this.extentCacheBytes = extentCacheBytes;
      return this;
    }

    /** Sets the number of allocations of a class between two trims; by default 8,192. */
    public Builder trimIntervalAllocations(int trimIntervalAllocations) {
      this.trimIntervalAllocations = trimIntervalAllocations;
      return this;
    }

    /** Sets the time that the pool keeps empty chunks and extents; by default 10,000 ms. */
    public Builder decayMillis(long decayMillis) {
      this.decayMillis = decayMillis;
      return this;
    }

    /**
     * Sets the time after which a sleeping thread loses its cache; by default {@link #decayMillis}.
     */
    public Builder idleCacheMillis(long idleCacheMillis) {
      this.idleCacheMillis = idleCacheMillis;
      return this;
    }

    /** Sets the mean number of bytes between two samples; by default 0, which is no sampling. */
    public Builder sampleIntervalBytes(long sampleIntervalBytes) {
      this.sampleIntervalBytes = sampleIntervalBytes;
      return this;
    }

    /** Sets the maximum bytes of slots in quarantine; by default 8 MiB. */
    public Builder quarantineBytes(long quarantineBytes) {
      this.quarantineBytes = quarantineBytes;
      return this;
    }

    /** Sets whether the JVM's maintenance thread ticks the pool; by default true. */
    public Builder maintenanceThread(boolean isUsed) {
      this.hasMaintenanceThread = isUsed;
      return this;
    }

    /** Sets whether other users of the memory source free unused memory; by default false. */
    public Builder reclaimable(boolean reclaimable) {
      this.reclaimable = reclaimable;
      return this;
    }

    /**
     * Returns a new pool.
     *
     * @throws IllegalArgumentException if a value is outside of its range
     */
    public BufferPool build() {
      PoolSettings settings =
          new PoolSettings(
              kind,
              arenas,
              pageBytes,
              chunkBytes,
              alignment,
              threadCaches,
              sharedCaches,
              idleBytesPerThread,
              extentCacheBytes,
              trimIntervalAllocations,
              decayMillis,
              idleCacheMillis == null ? Math.max(1, decayMillis) : idleCacheMillis,
              sampleIntervalBytes,
              quarantineBytes,
              hasMaintenanceThread,
              reclaimable);
      return new BufferPool(settings, source, binder);
    }
  }
}
