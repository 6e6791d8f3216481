/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An allocator of blocks of native memory, which contain zeros, and which return to the operating
 * system when they are freed. Thread-safe.
 *
 * <p>A block is mapped ({@link PageMapper}) if the JVM permits that. Otherwise a large block is
 * part of a request to the C library above 32 MiB: glibc maps each such request separately,
 * whatever was freed before ({@code DEFAULT_MMAP_THRESHOLD_MAX}, mallopt(3)). Only the pages of the
 * block are used, and the rest of the request only takes address space. All other blocks are plain
 * {@code malloc} memory (docs/internals/decisions/0038).
 *
 * <p>The blocks of a class loader, or of all Netty copies that an agent serves, use up to a quarter
 * of the mappings that Linux permits for a process.
 */
public final class NativeMemory {
  /** The size of a request above glibc's limit, with room for the bytes that glibc adds. */
  private static final long MALLOC_MAPPED_BYTES = (32L << 20) + (64L << 10);

  /** The minimum size of a block that is worth so much address space. */
  private static final long MIN_MALLOC_MAPPED_BYTES = 1L << 20;

  private static final int MAPPINGS_SHIFT = 2;

  private static final long MAX_MAPPINGS = Platform.maxMapCount() >> MAPPINGS_SHIFT;

  private static final @Nullable PageMapper MAPPER = PageMapper.find();

  private static final boolean IS_ADDRESS_SPACE_FREE = Platform.isAddressSpaceFree();

  static {
    PageMap.load(); // later, the Java heap may be full
  }

  /** Whether malloc served a block because the limit of mappings was reached. */
  private static final AtomicBoolean IS_LIMIT_REACHED = new AtomicBoolean();

  private static final AtomicBoolean IS_LIMIT_REPORTED = new AtomicBoolean();

  /** The number of mappings. Other class loaders of the JVM share it if the agent has set it. */
  private static volatile AtomicLong mappings = new AtomicLong();

  private NativeMemory() {}

  /** A block. The code that allocated it frees it once. */
  public static final class Block extends MappedMemory {
    private final MemoryWay way;
    private final long start;
    private final long length;

    private Block(MemoryWay way, long start, long length, long address, long bytes) {
      super(address, bytes);
      this.way = way;
      this.start = start;
      this.length = length;
    }

    /** Returns the way in which the block was allocated. */
    public MemoryWay way() {
      return way;
    }

    /** Returns the first number for {@link NativeMemory#free(String, long, long)}. */
    public long start() {
      return start;
    }

    /** Returns the second number for {@link NativeMemory#free(String, long, long)}. */
    public long length() {
      return length;
    }

    /** Returns a new view of the block, which must not be used after the block is freed. */
    public ByteBuffer view() {
      return NioMemory.wrap(address(), (int) bytes());
    }

    /** Frees the block. The caller calls this once. */
    public void free() {
      NativeMemory.free(way, start, length);
    }

    @Override
    protected boolean tryFree() {
      free();
      return true;
    }
  }

  /**
   * Returns the way in which this JVM allocates blocks of 1 MiB and more, below the limit of
   * mappings.
   */
  public static MemoryWay way() {
    if (MAPPER != null) {
      return MAPPER.way();
    }
    return IS_ADDRESS_SPACE_FREE ? MemoryWay.MAPPED_BY_MALLOC : MemoryWay.MALLOC;
  }

  /**
   * Sets the counter for the blocks of this class loader. The caller calls this before the first
   * block.
   */
  public static void countIn(AtomicLong count) {
    mappings = count;
  }

  /**
   * Allocates a block.
   *
   * @param bytes the size in bytes, at least 1
   * @param alignment of the first byte: 0, or a power of two
   * @throws OutOfMemoryError if the operating system refuses the block, or if the Java heap is full
   */
  public static Block allocate(int bytes, int alignment) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes: " + bytes + " (expected: > 0)");
    }
    MemoryWay way = way();
    boolean isMapped =
        way.isMapped() || (way == MemoryWay.MAPPED_BY_MALLOC && bytes >= MIN_MALLOC_MAPPED_BYTES);
    if (isMapped && isCounted()) {
      try {
        return way.isMapped() ? mapped(way, bytes, alignment) : ofLargeRequest(bytes, alignment);
      } catch (OutOfMemoryError refused) {
        mappings.decrementAndGet(); // address space may be limited, and malloc may still have some
      } catch (Throwable failed) {
        mappings.decrementAndGet();
        throw failed;
      }
    }
    return newBlock(MemoryWay.MALLOC, (long) bytes + alignment, bytes, alignment);
  }

  private static boolean isCounted() {
    if (mappings.incrementAndGet() <= MAX_MAPPINGS) {
      return true;
    }
    mappings.decrementAndGet();
    IS_LIMIT_REACHED.set(true); // no log here: the caller holds a lock that the host's log may need
    return false;
  }

  /**
   * Logs once that the limit of mappings was reached. The calling thread must hold no lock of a
   * pool.
   */
  public static void reportLimit() {
    if (IS_LIMIT_REACHED.get() && !IS_LIMIT_REPORTED.getAndSet(true)) {
      System.getLogger(NativeMemory.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "native memory has "
                  + MAX_MAPPINGS
                  + " mappings, a quarter of vm.max_map_count; further memory comes from malloc,"
                  + " which may keep it when it is freed. Larger chunks need fewer mappings.");
    }
  }

  private static Block mapped(MemoryWay way, int bytes, int alignment) {
    long pageBytes = MemoryAccess.PAGE_BYTES;
    long room = alignment > pageBytes ? alignment : 0;
    return newBlock(way, align(bytes + room, pageBytes), bytes, alignment);
  }

  private static Block ofLargeRequest(int bytes, int alignment) {
    long edge = Math.max(alignment, MemoryAccess.PAGE_BYTES); // the C library uses the first page
    long length = Math.max(bytes + edge, MALLOC_MAPPED_BYTES);
    return newBlock(MemoryWay.MAPPED_BY_MALLOC, length, bytes, edge);
  }

  private static Block newBlock(MemoryWay way, long length, int bytes, long alignment) {
    long start = way.isMapped() ? mapper().map(length) : MemoryAccess.allocate(length);
    try {
      long address = align(start, alignment);
      if (!way.isMapped()) {
        PageMap.clear(address, bytes);
      }
      return new Block(way, start, length, address, bytes);
    } catch (Throwable failed) {
      freeMemory(way, start, length);
      throw failed;
    }
  }

  /**
   * Returns the mapper. Searches again if there was none, because this class loader can free blocks
   * of another class loader.
   */
  private static PageMapper mapper() {
    PageMapper mapper = MAPPER == null ? PageMapper.find() : MAPPER;
    if (mapper == null) {
      throw new IllegalStateException("this JVM permits no mappings");
    }
    return mapper;
  }

  private static long align(long number, long alignment) {
    return alignment == 0 ? number : (number + alignment - 1) & -alignment;
  }

  /**
   * Frees a block that this class allocated, possibly in another class loader. The caller calls
   * this once for each block.
   *
   * @param way the name of {@link Block#way()}
   * @param start {@link Block#start()}
   * @param length {@link Block#length()}
   * @throws IllegalArgumentException if {@code way} is not a way of blocks
   */
  public static void free(String way, long start, long length) {
    free(MemoryWay.valueOf(way), start, length);
  }

  private static void free(MemoryWay way, long start, long length) {
    freeMemory(way, start, length);
    if (way != MemoryWay.MALLOC) {
      mappings.decrementAndGet();
    }
  }

  private static void freeMemory(MemoryWay way, long start, long length) {
    if (way.isMapped()) {
      mapper().unmap(start, length);
    } else if (way == MemoryWay.MAPPED_BY_MALLOC || way == MemoryWay.MALLOC) {
      MemoryAccess.free(start);
    } else {
      throw new IllegalArgumentException("way: " + way);
    }
  }
}
