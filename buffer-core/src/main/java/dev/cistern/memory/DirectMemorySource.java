/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Native regions, counted against a {@link DirectMemoryLimit}.
 *
 * <p>Memory comes uninitialised and without a cleaner where the JVM lets us (seed row A12): a chunk
 * is then neither zeroed nor tied to the garbage collector. Otherwise it is a plain direct buffer.
 */
public final class DirectMemorySource implements MemorySource {
  private final DirectMemoryLimit limit;
  private final int alignment;
  private final boolean useCleaner;
  private final RestingMemory.Unmapper unmapper = this::unmap;
  private final IntFunction<Region> buffers = this::withCleaner;
  private final IntFunction<Region> blocks = this::withoutCleaner;

  /** Regions under the JVM-wide limit, without alignment. */
  public DirectMemorySource() {
    this(DirectMemoryLimit.shared(), 0, false);
  }

  /**
   * @param limit what the regions count against
   * @param alignment address alignment of every region in bytes, a power of two; 0 for none
   * @param useCleaner true for plain direct buffers, zeroed and freed through their cleaner
   * @throws IllegalArgumentException if {@code alignment} is neither 0 nor a power of two
   */
  public DirectMemorySource(DirectMemoryLimit limit, int alignment, boolean useCleaner) {
    if (alignment < 0 || Integer.bitCount(alignment) > 1) {
      throw new IllegalArgumentException(
          "alignment: " + alignment + " (expected: 0 or a power of two)");
    }
    this.limit = limit;
    this.alignment = alignment;
    this.useCleaner = useCleaner || !NativeBuffers.canWrap();
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
    RestingMemory resting = limit.resting();
    if (useCleaner) { // asks once where nothing rests: before it refuses, the JVM collects garbage
      return resting == null ? withCleaner(bytes) : resting.request(buffers, bytes);
    }
    try {
      return withoutCleaner(bytes);
    } catch (OutOfMemoryError refused) {
      if (resting == null) {
        throw refused;
      }
      return resting.request(blocks, bytes);
    }
  }

  private Region withoutCleaner(int bytes) {
    long start = MemoryAccess.allocate((long) bytes + alignment);
    try {
      long address = align(start);
      @Nullable Object handle = start == address ? null : start;
      return new Region(null, address, NativeBuffers.wrap(address, bytes), bytes, handle);
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

  /** The region rests before it is unmapped, and counts until then, if the limit says where. */
  @Override
  public void free(Region region) {
    RestingMemory resting = limit.resting();
    if (resting == null) {
      unmap(region.address(), region.bytes(), region.handle());
    } else {
      resting.rest(region.address(), region.bytes(), region.handle(), unmapper);
    }
  }

  private void unmap(long address, long bytes, @Nullable Object handle) {
    if (handle instanceof ByteBuffer whole) {
      MemoryAccess.invokeCleaner(whole);
    } else {
      MemoryAccess.free(handle instanceof Long start ? start : address);
    }
    limit.release(bytes + alignment);
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
