/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;

/** The settings of a pool; immutable. All sizes are in bytes. */
public final class PoolSettings {
  private final Builder from;

  private PoolSettings(Builder from) {
    this.from = from;
  }

  /** The kind of memory served. */
  public MemoryKind kind() {
    return from.kind;
  }

  /** Number of arenas. */
  public int arenas() {
    return from.arenas;
  }

  /** Size of a page. */
  public int pageBytes() {
    return from.pageBytes;
  }

  /** Size of a chunk. */
  public int chunkBytes() {
    return from.chunkBytes;
  }

  /** Slots begin at, and are sized in, multiples of this; 0 for none. */
  public int alignment() {
    return from.alignment;
  }

  /** Whether platform threads get caches of their own. */
  public boolean threadCaches() {
    return from.threadCaches;
  }

  /** Caches that the threads without one of their own share. */
  public int sharedCaches() {
    return from.sharedCaches;
  }

  /**
   * The most bytes of free runs in a thread cache, beside one run that is larger than this, up to
   * twice as large.
   */
  public long runCacheBytesPerThread() {
    return from.runCacheBytesPerThread;
  }

  /** The most bytes of wholly free subpages in a thread cache, beside those it allocates from. */
  public long idleSubpageBytesPerThread() {
    return from.idleSubpageBytesPerThread;
  }

  /** The most bytes of free extents that wait for their next use. */
  public long extentCacheBytes() {
    return from.extentCacheBytes;
  }

  /** A bin trims its thread cache after so many allocations. */
  public int trimIntervalAllocations() {
    return from.trimIntervalAllocations;
  }

  /** How long empty chunks and extents wait for their next use. */
  public long decayMillis() {
    return from.decayMillis;
  }

  /** After how long without use a sleeping thread's cache is taken from it; 0 for never. */
  public long idleCacheMillis() {
    return from.idleCacheMillis < 0 ? Math.max(1, from.decayMillis) : from.idleCacheMillis;
  }

  /** Bytes between two samples, on average; 0 for no sampling. */
  public long sampleIntervalBytes() {
    return from.sampleIntervalBytes;
  }

  /** Bytes of slots that may rest between a release and their next use, where one asks for that. */
  public long quarantineBytes() {
    return from.quarantineBytes;
  }

  /** Returns whether other users of the memory source free the pool's unused memory. */
  public boolean reclaimable() {
    return from.reclaimable;
  }

  /** Whether the JVM's janitor thread ticks the pool; otherwise somebody else does. */
  public boolean janitor() {
    return from.janitor;
  }

  /** Collects the settings of a new pool; each has a default. */
  public static final class Builder {
    private final MemoryKind kind;
    private final MemorySource source;
    private final SlotBinder binder;
    private int arenas = 2 * Runtime.getRuntime().availableProcessors();
    private int pageBytes = 8 << 10;
    private int chunkBytes = 4 << 20;
    private int alignment;
    private boolean threadCaches = true;
    private int sharedCaches = 2 * Runtime.getRuntime().availableProcessors();
    private long runCacheBytesPerThread = 2L << 20;
    private long idleSubpageBytesPerThread = 512L << 10;
    private long extentCacheBytes = 256L << 20;
    private int trimIntervalAllocations = 8192;
    private long decayMillis = 10_000;
    private long idleCacheMillis = -1;
    private long sampleIntervalBytes;
    private long quarantineBytes = 8L << 20;
    private boolean janitor = true;
    private boolean reclaimable;

    Builder(MemoryKind kind, MemorySource source, SlotBinder binder) {
      this.kind = kind;
      this.source = source;
      this.binder = binder;
    }

    private static void require(boolean valid, String name, Object value, String expected) {
      if (!valid) {
        throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
      }
    }

    private static boolean isPowerOfTwo(int value) {
      return value > 0 && Integer.bitCount(value) == 1;
    }

    /** Number of arenas, 1 to 4,096; by default twice the number of cores (seed row A1). */
    public Builder arenas(int arenas) {
      require(arenas >= 1 && arenas <= 4096, "arenas", arenas, "1 to 4096");
      this.arenas = arenas;
      return this;
    }

    /** Page size, a power of two from 4 KiB to 1 MiB; by default 8 KiB. */
    public Builder pageBytes(int pageBytes) {
      require(
          isPowerOfTwo(pageBytes) && pageBytes >= 4 << 10 && pageBytes <= 1 << 20,
          "pageBytes",
          pageBytes,
          "a power of two, 4096 to 1048576");
      this.pageBytes = pageBytes;
      return this;
    }

    /** Chunk size, a power of two from 32 pages to 1 GiB; by default 4 MiB. */
    public Builder chunkBytes(int chunkBytes) {
      require(
          isPowerOfTwo(chunkBytes) && chunkBytes <= 1 << 30,
          "chunkBytes",
          chunkBytes,
          "a power of two, at most 1073741824");
      this.chunkBytes = chunkBytes;
      return this;
    }

    /** Alignment of slots, 0 or a power of two up to the page size; by default 0 (seed row A6). */
    public Builder alignment(int alignment) {
      require(
          alignment == 0 || isPowerOfTwo(alignment), "alignment", alignment, "0 or a power of two");
      this.alignment = alignment;
      return this;
    }

    /** Whether platform threads get caches of their own; by default they do. */
    public Builder threadCaches(boolean threadCaches) {
      this.threadCaches = threadCaches;
      return this;
    }

    /** Caches shared by threads without one of their own, 1 to 4,096. */
    public Builder sharedCaches(int sharedCaches) {
      require(sharedCaches >= 1 && sharedCaches <= 4096, "sharedCaches", sharedCaches, "1 to 4096");
      this.sharedCaches = sharedCaches;
      return this;
    }

    /**
     * The most bytes of free runs in a thread cache, beside one run that is larger than this, up to
     * twice as large; by default 2 MiB; 0 caches none.
     */
    public Builder runCacheBytesPerThread(long bytes) {
      require(bytes >= 0, "runCacheBytesPerThread", bytes, ">= 0");
      this.runCacheBytesPerThread = bytes;
      return this;
    }

    /** The most bytes of wholly free subpages kept in a thread cache; by default 512 KiB. */
    public Builder idleSubpageBytesPerThread(long bytes) {
      require(bytes >= 0, "idleSubpageBytesPerThread", bytes, ">= 0");
      this.idleSubpageBytesPerThread = bytes;
      return this;
    }

    /** The most bytes of free extents that are cached; by default 256 MiB. */
    public Builder extentCacheBytes(long bytes) {
      require(bytes >= 0, "extentCacheBytes", bytes, ">= 0");
      this.extentCacheBytes = bytes;
      return this;
    }

    /** Allocations of a class between two trims, a power of two; by default 8,192 (row A9). */
    public Builder trimIntervalAllocations(int allocations) {
      require(isPowerOfTwo(allocations), "trimIntervalAllocations", allocations, "a power of two");
      this.trimIntervalAllocations = allocations;
      return this;
    }

    /** How long empty chunks and extents are kept, in milliseconds; by default 10,000. */
    public Builder decayMillis(long millis) {
      require(millis >= 0, "decayMillis", millis, ">= 0");
      this.decayMillis = millis;
      return this;
    }

    /**
     * After how long a thread that sleeps, or nearly so, loses its cache, in milliseconds; by
     * default as {@link #decayMillis}; 0 is never. Without effect where it cannot be proved that
     * the thread sleeps, as in JVMs other than HotSpot.
     */
    public Builder idleCacheMillis(long millis) {
      require(millis >= 0, "idleCacheMillis", millis, ">= 0");
      this.idleCacheMillis = millis;
      return this;
    }

    /** Mean of the byte sampler; by default 0, which is off. */
    public Builder sampleIntervalBytes(long mean) {
      require(mean >= 0, "sampleIntervalBytes", mean, ">= 0");
      this.sampleIntervalBytes = mean;
      return this;
    }

    /**
     * Bytes of slots that may rest at a time after {@link SlotGroup#releaseAfterRest}; by default 8
     * MiB; 0: none does.
     */
    public Builder quarantineBytes(long bytes) {
      require(bytes >= 0, "quarantineBytes", bytes, ">= 0");
      this.quarantineBytes = bytes;
      return this;
    }

    /**
     * Whether other users of the memory source call {@link BufferPool#tryFreeOne} when they need
     * memory. Then the pool keeps all its empty chunks until they decay, otherwise up to one part
     * in eight of the source's limit; by default they do not.
     */
    public Builder reclaimable(boolean reclaimable) {
      this.reclaimable = reclaimable;
      return this;
    }

    /** Whether the JVM's janitor thread ticks the pool; by default it does. */
    public Builder janitor(boolean janitor) {
      this.janitor = janitor;
      return this;
    }

    /**
     * Makes the pool.
     *
     * @throws IllegalArgumentException if settings contradict each other
     */
    public BufferPool build() {
      require(chunkBytes / pageBytes >= 32, "chunkBytes", chunkBytes, "at least 32 pages");
      require(alignment <= pageBytes, "alignment", alignment, "at most a page, " + pageBytes);
      return new BufferPool(new PoolSettings(copy()), source, binder);
    }

    private Builder copy() {
      Builder copy = new Builder(kind, source, binder);
      copy.arenas = arenas;
      copy.pageBytes = pageBytes;
      copy.chunkBytes = chunkBytes;
      copy.alignment = alignment;
      copy.threadCaches = threadCaches;
      copy.sharedCaches = sharedCaches;
      copy.runCacheBytesPerThread = runCacheBytesPerThread;
      copy.idleSubpageBytesPerThread = idleSubpageBytesPerThread;
      copy.extentCacheBytes = extentCacheBytes;
      copy.trimIntervalAllocations = trimIntervalAllocations;
      copy.decayMillis = decayMillis;
      copy.idleCacheMillis = idleCacheMillis;
      copy.sampleIntervalBytes = sampleIntervalBytes;
      copy.quarantineBytes = quarantineBytes;
      copy.janitor = janitor;
      copy.reclaimable = reclaimable;
      return copy;
    }
  }
}
