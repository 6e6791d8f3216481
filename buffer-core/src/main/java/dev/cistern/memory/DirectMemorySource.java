/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.memory.NativeMemory.Block;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Native regions, counted against a {@link DirectMemoryLimit}. Large ones are blocks of {@link
 * NativeMemory}, small ones come from the C library.
 *
 * <p>A new region contains zeros, or what an earlier region of this class contained, but no data of
 * other code. A freed region no longer counts, and stays mapped for a while ({@link
 * MemoryQuarantine}).
 */
public final class DirectMemorySource implements MemorySource {
  /** Smaller regions cost less time from the C library. It is glibc's first limit for mapping. */
  private static final int MIN_BLOCK_BYTES = 128 << 10;

  private static final MemoryQuarantine.Unmapper FREE_BLOCK =
      (address, bytes, handle) -> ((Block) Objects.requireNonNull(handle)).free();

  private static final MemoryQuarantine.Unmapper FREE_SMALL =
      (address, bytes, handle) -> MemoryAccess.free(handle instanceof Long start ? start : address);

  private static final MemoryQuarantine.Unmapper CLEAN =
      (address, bytes, handle) ->
          MemoryAccess.invokeCleaner((ByteBuffer) Objects.requireNonNull(handle));

  private final DirectMemoryLimit limit;
  private final int alignment;
  private final boolean useCleaner;
  private final boolean clears;

  private final IntFunction<Region> cleanable = this::withCleaner;
  private final IntFunction<Region> small = this::small;
  private final IntFunction<Block> blocks = this::newBlock;

  /** Regions for pools under the JVM-wide limit, without alignment. */
  public DirectMemorySource() {
    this(DirectMemoryLimit.shared(), 0, false);
  }

  /**
   * Regions for pools. What a region contains may be old data of the process's pools.
   *
   * @param limit what the regions count against
   * @param alignment address alignment of every region in bytes, a power of two; 0 for none
   * @param useCleaner true for plain direct buffers of the JDK, freed through their cleaner
   * @throws IllegalArgumentException if {@code alignment} is neither 0 nor a power of two
   */
  public DirectMemorySource(DirectMemoryLimit limit, int alignment, boolean useCleaner) {
    this(limit, alignment, useCleaner, false);
  }

  private DirectMemorySource(
      DirectMemoryLimit limit, int alignment, boolean useCleaner, boolean clears) {
    if (alignment < 0 || Integer.bitCount(alignment) > 1) {
      throw new IllegalArgumentException(
          "alignment: " + alignment + " (expected: 0 or a power of two)");
    }
    this.limit = limit;
    this.alignment = alignment;
    this.useCleaner = useCleaner || !NativeMemory.isAvailable();
    this.clears = clears;
  }

  /**
   * Returns a source of regions for single buffers: each contains zeros.
   *
   * @param limit what the regions count against
   * @param useCleaner true for plain direct buffers of the JDK, freed through their cleaner
   */
  public static DirectMemorySource ofBuffers(DirectMemoryLimit limit, boolean useCleaner) {
    return new DirectMemorySource(limit, 0, useCleaner, true);
  }

  @Override
  public Region allocate(int bytes) {
    long reserved = (long) bytes + alignment;
    limit.reserve(reserved);
    try {
      return take(bytes);
    } catch (OutOfMemoryError refused) {
      limit.release(reserved);
      throw refusal(bytes, refused);
    } catch (RuntimeException | Error failed) {
      limit.release(reserved);
      throw failed;
    }
  }

  private Region take(int bytes) {
    if (useCleaner) {
      return MemoryQuarantine.shared().request(cleanable, bytes);
    }
    return bytes < MIN_BLOCK_BYTES
        ? MemoryQuarantine.shared().request(small, bytes)
        : fromBlock(bytes);
  }

  private Region fromBlock(int bytes) {
    Block block = (Block) MemoryQuarantine.ofBlocks().takeBack(bytes, alignment, FREE_BLOCK);
    if (block == null) {
      block = MemoryQuarantine.ofBlocks().request(blocks, bytes);
    } else if (clears) {
      MemoryAccess.fill(null, block.address(), bytes, (byte) 0);
    }
    try {
      return new Region(null, block.address(), block.view(), bytes, block, block.way());
    } catch (Throwable failed) { // a late reader may still use a block from the quarantine
      MemoryQuarantine.ofBlocks().add(block.address(), bytes, block, FREE_BLOCK);
      throw failed;
    }
  }

  private Block newBlock(int bytes) {
    return NativeMemory.allocate(bytes, alignment);
  }

  private Region small(int bytes) {
    long start = MemoryAccess.allocate((long) bytes + alignment);
    try {
      long address = align(start);
      MemoryAccess.clear(null, address, bytes);
      @Nullable Object handle = start == address ? null : start;
      ByteBuffer view = NativeBuffers.wrap(address, bytes);
      return new Region(null, address, view, bytes, handle, MemoryWay.MALLOC);
    } catch (Throwable failed) {
      MemoryAccess.free(start);
      throw failed;
    }
  }

  private Region withCleaner(int bytes) {
    if (bytes > Integer.MAX_VALUE - alignment) {
      throw new OutOfMemoryError(bytes + " byte(s) aligned to " + alignment + " pass 2 GiB");
    }
    ByteBuffer whole = ByteBuffer.allocateDirect(bytes + alignment);
    long start = NativeBuffers.address(whole);
    int skip = (int) (align(start) - start);
    ByteBuffer view = whole.slice(skip, bytes);
    return new Region(null, start + skip, view, bytes, whole);
  }

  private long align(long address) {
    return alignment == 0 ? address : (address + alignment - 1) & -alignment;
  }

  private OutOfMemoryError refusal(int bytes, OutOfMemoryError refused) {
    OutOfMemoryError error =
        new OutOfMemoryError(
            "the operating system refused "
                + bytes
                + " byte(s) of direct memory (used: "
                + limit.usedBytes()
                + ", limit: "
                + limit.limitBytes()
                + " by -D"
                + MaxDirectMemory.PROPERTY
                + ")");
    error.initCause(refused);
    return error;
  }

  @Override
  public void free(Region region) {
    limit.release(region.bytes() + alignment);
    Object handle = region.handle();
    if (handle instanceof Block block) {
      MemoryQuarantine.ofBlocks().add(block.address(), block.bytes(), block, FREE_BLOCK);
    } else {
      MemoryQuarantine.shared()
          .add(
              region.address(),
              region.bytes(),
              handle,
              handle instanceof ByteBuffer ? CLEAN : FREE_SMALL);
    }
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
