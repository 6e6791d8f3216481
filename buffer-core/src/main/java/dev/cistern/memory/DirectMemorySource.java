/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.memory.NativeMemory.Block;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * A source of native regions, which count against a {@link DirectMemoryLimit}. Large regions are
 * blocks of {@link NativeMemory}, and the C library allocates small ones.
 *
 * <p>A new region contains zeros or data of an earlier region of this class, but no data of other
 * code. A freed region no longer counts, and stays mapped for a while ({@link MemoryQuarantine}).
 */
public final class DirectMemorySource implements MemorySource {
  /**
   * The minimum size of a block. The C library allocates smaller regions faster. The value is the
   * initial mapping threshold of glibc.
   */
  private static final int MIN_BLOCK_BYTES = 128 << 10;

  private static final IntFunction<ByteBuffer> NEW_BUFFER = ByteBuffer::allocateDirect;
  private static final IntFunction<Region> NEW_SMALL = DirectMemorySource::newSmall;

  private final DirectMemoryLimit limit;
  private final int alignment;
  private final boolean useCleaner;
  private final boolean clears;
  private final Runnable onRefusal;
  private final AtomicLong ownBytes = new AtomicLong();

  private final IntFunction<Block> newBlock = this::newBlock;

  /** Creates a source of regions for pools, without alignment, under the limit of the JVM. */
  public DirectMemorySource() {
    this(DirectMemoryLimit.shared(), 0, false);
  }

  /**
   * Creates a source of regions for pools. A region may contain old data of this process.
   *
   * @param limit the limit against which the regions count
   * @param alignment address alignment of every region in bytes, a power of two; 0 for none
   * @param useCleaner true for direct buffers of the JDK, which their cleaners free
   * @throws IllegalArgumentException if {@code alignment} is neither 0 nor a power of two
   */
  public DirectMemorySource(DirectMemoryLimit limit, int alignment, boolean useCleaner) {
    this(limit, alignment, useCleaner, false, () -> {});
  }

  private DirectMemorySource(
      DirectMemoryLimit limit,
      int alignment,
      boolean useCleaner,
      boolean clears,
      Runnable onRefusal) {
    if (alignment < 0 || Integer.bitCount(alignment) > 1) {
      throw new IllegalArgumentException(
          "alignment: " + alignment + " (expected: 0 or a power of two)");
    }
    this.limit = limit;
    this.alignment = alignment;
    this.useCleaner = useCleaner || !NioMemory.canWrap();
    this.clears = clears;
    this.onRefusal = onRefusal;
  }

  /**
   * Returns a source of regions for single buffers: each contains zeros.
   *
   * @param limit the limit against which the regions count
   * @param useCleaner true for direct buffers of the JDK, which their cleaners free
   * @param onRefusal a task that runs whenever the source refuses a region, before the caller gets
   *     the error
   */
  public static DirectMemorySource ofBuffers(
      DirectMemoryLimit limit, boolean useCleaner, Runnable onRefusal) {
    return new DirectMemorySource(limit, 0, useCleaner, true, onRefusal);
  }

  @Override
  public Region allocate(int bytes) {
    try {
      return counted(bytes);
    } catch (OutOfMemoryError refused) {
      onRefusal.run();
      throw refused;
    }
  }

  private Region counted(int bytes) {
    long reserved = (long) bytes + alignment;
    limit.reserve(reserved);
    try {
      Region region = take(bytes);
      ownBytes.addAndGet(bytes);
      return region;
    } catch (Throwable failed) {
      limit.release(reserved);
      if (failed instanceof OutOfMemoryError refused) {
        OutOfMemoryError error = limit.refusal("the operating system refused ", bytes);
        error.initCause(refused);
        throw error;
      }
      throw failed;
    }
  }

  private Region take(int bytes) {
    if (useCleaner) {
      return withCleaner(bytes);
    }
    return bytes < MIN_BLOCK_BYTES && alignment == 0
        ? MemoryQuarantine.shared().allocateWithRetry(NEW_SMALL, bytes)
        : fromBlock(bytes);
  }

  private Region fromBlock(int bytes) {
    Block block = MemoryQuarantine.ofBlocks().takeBack(Block.class, bytes, alignment);
    if (block == null) {
      block = MemoryQuarantine.ofBlocks().allocateWithRetry(newBlock, bytes);
    } else if (clears) {
      MemoryAccess.fill(null, block.address(), bytes, (byte) 0);
    }
    try {
      return new Region(null, block.address(), block.view(), bytes, block, block.way());
    } catch (Throwable failed) { // a late reader may still use a block from the quarantine
      MemoryQuarantine.ofBlocks().add(block);
      throw failed;
    }
  }

  private Block newBlock(int bytes) {
    return NativeMemory.allocate(bytes, alignment);
  }

  private static Region newSmall(int bytes) {
    long address = MemoryAccess.allocate(bytes);
    try {
      MemoryAccess.clear(null, address, bytes);
      return new Region(
          null, address, NioMemory.wrap(address, bytes), bytes, null, MemoryWay.MALLOC);
    } catch (Throwable failed) {
      MemoryAccess.free(address);
      throw failed;
    }
  }

  private Region withCleaner(int bytes) {
    if (bytes > Integer.MAX_VALUE - alignment) {
      throw new OutOfMemoryError(bytes + " byte(s) aligned to " + alignment + " exceed 2 GiB");
    }
    ByteBuffer whole = newBuffer(bytes + alignment);
    int unit = Math.max(1, alignment);
    int skip = -whole.alignmentOffset(0, unit) & (unit - 1);
    ByteBuffer view = whole.slice(skip, bytes);
    return new Region(null, NioMemory.start(view), view, bytes, whole);
  }

  /**
   * Returns a direct buffer with its own memory. If memory is short, frees the quarantined memory
   * first.
   *
   * @throws OutOfMemoryError if there is no memory even then
   */
  public static ByteBuffer newBuffer(int bytes) {
    return MemoryQuarantine.shared().allocateWithRetry(NEW_BUFFER, bytes);
  }

  /**
   * Frees a direct buffer with its own memory, after its quarantine, without the garbage collector.
   *
   * @throws IllegalArgumentException if the buffer is not direct
   */
  public static void freeBuffer(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("buffer: " + direct + " (expected: direct)");
    }
    MemoryQuarantine.shared().add(direct);
  }

  @Override
  public void free(Region region) {
    limit.release(region.bytes() + alignment);
    ownBytes.addAndGet(-region.bytes());
    if (region.handle() instanceof Block block) {
      MemoryQuarantine.ofBlocks().add(block);
    } else if (region.handle() instanceof ByteBuffer whole) {
      MemoryQuarantine.shared().add(whole);
    } else {
      MemoryQuarantine.shared().add(region.address(), region.bytes());
    }
  }

  /** Returns the bytes allocated from this object, unlike {@link #usedBytes()}. */
  public long ownBytes() {
    return ownBytes.get();
  }

  @Override
  public long usedBytes() {
    return limit.usedBytes();
  }

  @Override
  public long limitBytes() {
    return limit.limitBytes();
  }
}
