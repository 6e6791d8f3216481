/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Memory that a caller already has, as the first region of a source; the regions that follow, when
 * what lies there moves, come from another source. What the caller keeps is not freed.
 */
public final class GivenMemory implements MemorySource {
  private static final MemoryQuarantine.Unmapper FREE =
      (address, bytes, handle) -> MemoryAccess.free(address);

  private static final MemoryQuarantine.Unmapper CLEANER =
      (address, bytes, handle) ->
          MemoryAccess.invokeCleaner((ByteBuffer) Objects.requireNonNull(handle));

  private static final IntFunction<ByteBuffer> NEW_BUFFER = ByteBuffer::allocateDirect;

  /** Where a buffer over an array of its user's would get more, if it could grow. */
  public static final MemorySource HEAP = new HeapMemorySource();

  /** As {@link #HEAP}, for direct memory. */
  public static final MemorySource DIRECT =
      DirectMemorySource.ofBuffers(DirectMemoryLimit.shared(), false);

  private final Region given;
  private final boolean isOurs;
  private final MemorySource source;

  /**
   * @param given the caller's memory
   * @param isOurs true if it is from now on to be freed here; only for a region {@link #at} an
   *     address
   * @param source where further regions come from
   */
  public GivenMemory(Region given, boolean isOurs, MemorySource source) {
    this.given = given;
    this.isOurs = isOurs;
    this.source = source;
  }

  /** All of an array. */
  public static Region of(byte[] array) {
    return new Region(
        array, MemoryAccess.BYTE_ARRAY_OFFSET, ByteBuffer.wrap(array), array.length, null);
  }

  /**
   * What remains of a NIO buffer: direct or not, read-only or not. The region keeps the buffer's
   * memory alive, and is its handle. Memory of an arena must not be closed while it is in use.
   *
   * @throws UnsupportedOperationException if this JVM does not tell where the bytes are
   */
  public static Region of(ByteBuffer buffer) {
    ByteBuffer view = buffer.slice();
    if (view.isDirect()) {
      long address = MemoryAccess.address(view);
      if (address == 0 && view.hasRemaining()) {
        throw new UnsupportedOperationException("this JVM does not tell where " + buffer + " is");
      }
      return new Region(null, address, view, view.remaining(), buffer);
    }
    if (!NioMemory.isKnown(view)) {
      throw new UnsupportedOperationException("this JVM does not tell what array has " + buffer);
    }
    return new Region(
        NioMemory.base(view), NioMemory.address(view), view, view.remaining(), buffer);
  }

  /**
   * Native memory.
   *
   * @param address of the first byte, absolute
   * @param bytes how many there are
   * @throws UnsupportedOperationException if this JVM gives no NIO view of it
   */
  public static Region at(long address, int bytes) {
    if (!NativeBuffers.canWrap()) {
      throw new UnsupportedOperationException("this JVM gives no NIO view of an address");
    }
    return new Region(null, address, NativeBuffers.wrap(address, bytes), bytes, address);
  }

  /**
   * Returns a direct buffer with memory of its own. Frees the quarantined memory if there is no
   * more.
   *
   * @throws OutOfMemoryError if that does not help either
   */
  public static ByteBuffer direct(int bytes) {
    return MemoryQuarantine.shared().request(NEW_BUFFER, bytes);
  }

  /**
   * Frees a direct buffer that has memory of its own, after its quarantine, and not with the
   * garbage collector.
   *
   * @throws IllegalArgumentException if it is not direct
   */
  public static void free(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("buffer: " + direct + " (expected: direct)");
    }
    MemoryQuarantine.shared().add(0, direct.capacity(), direct, CLEANER);
  }

  @Override
  public Region allocate(int bytes) {
    return source.allocate(bytes);
  }

  @Override
  public void free(Region region) {
    if (region != given) {
      source.free(region);
    } else if (isOurs) {
      MemoryQuarantine.shared().add(given.address(), given.bytes(), null, FREE);
    }
  }

  @Override
  public long usedBytes() {
    return source.usedBytes();
  }

  @Override
  public long limitBytes() {
    return source.limitBytes();
  }
}
