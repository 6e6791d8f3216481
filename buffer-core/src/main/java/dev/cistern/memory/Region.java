/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A contiguous range of memory that a pool allocates from its source: a chunk or an extent. */
public final class Region {
  private final byte @Nullable [] array;
  private final long address;
  private final ByteBuffer buffer;
  private final long bytes;
  private final @Nullable Object handle;
  private final MemoryWay way;

  /** Returns all of an array. */
  public static Region of(byte[] array) {
    return new Region(
        array, MemoryAccess.BYTE_ARRAY_OFFSET, ByteBuffer.wrap(array), array.length, null);
  }

  /**
   * Returns a region of the remaining bytes of a NIO buffer of any kind. The region keeps the
   * buffer as its handle, and so keeps the memory alive. If the memory belongs to a {@code
   * java.lang.foreign.Arena}, that arena must not be closed while the region is in use.
   *
   * @throws UnsupportedOperationException if the address of the bytes cannot be read in this JVM
   */
  public static Region of(ByteBuffer buffer) {
    ByteBuffer view = buffer.slice();
    boolean isNative = view.isDirect();
    long address = NioMemory.start(view);
    if (isNative ? address == 0 && view.hasRemaining() : !NioMemory.isKnown(view)) {
      throw new UnsupportedOperationException(
          "cannot read the address of " + buffer + " in this JVM");
    }
    byte[] array = isNative ? null : NioMemory.base(view);
    return new Region(array, address, view, view.remaining(), buffer);
  }

  /**
   * Returns a region of native memory.
   *
   * @param address the absolute address of the first byte
   * @param bytes the number of bytes
   * @throws UnsupportedOperationException if this JVM permits no NIO view of the memory
   */
  public static Region at(long address, int bytes) {
    if (!NioMemory.canWrap()) {
      throw new UnsupportedOperationException("this JVM permits no NIO view of an address");
    }
    return new Region(null, address, NioMemory.wrap(address, bytes), bytes, null);
  }

  /**
   * Creates a region of the Java heap or of a caller's memory, whose {@link MemoryWay} does not
   * matter.
   */
  public Region(
      byte @Nullable [] array,
      long address,
      ByteBuffer buffer,
      long bytes,
      @Nullable Object handle) {
    this(array, address, buffer, bytes, handle, array == null ? MemoryWay.HOST : MemoryWay.HEAP);
  }

  /**
   * @param array the heap array, or null for native memory
   * @param address native memory: the absolute address, or 0 without raw access; heap memory: the
   *     offset of the first byte inside the array object
   * @param buffer a view of the whole region, position 0, limit and capacity {@code bytes}
   * @param bytes size of the region in bytes
   * @param handle the object that the source needs to free the region, or null
   * @param way the way in which it was allocated
   */
  public Region(
      byte @Nullable [] array,
      long address,
      ByteBuffer buffer,
      long bytes,
      @Nullable Object handle,
      MemoryWay way) {
    this.array = array;
    this.address = address;
    this.buffer = buffer;
    this.bytes = bytes;
    this.handle = handle;
    this.way = way;
  }

  /** Returns the way in which the region was allocated. */
  public MemoryWay way() {
    return way;
  }

  /** Returns the heap array, or null for native memory. */
  public byte @Nullable [] array() {
    return array;
  }

  /**
   * Returns the address of the first byte. Native memory: the absolute address, or 0 without raw
   * access. Heap memory: the offset inside the array object.
   */
  public long address() {
    return address;
  }

  /**
   * Returns a view of the whole region. The view is shared: duplicate it before you change its
   * position or limit.
   */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Returns the size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Returns the object that the source stores in the region; null for none. */
  public @Nullable Object handle() {
    return handle;
  }
}
