/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/**
 * An allocator of buffers, which is thread-safe.
 *
 * <p>Capacities are in bytes. The default initial capacity is 256, the default maximum is {@link
 * Integer#MAX_VALUE}. A method throws {@link IllegalArgumentException} if a capacity is negative,
 * or if the initial capacity exceeds the maximum. It throws {@link OutOfMemoryError} if there is no
 * memory.
 */
public interface ByteBufAllocator {
  /**
   * The default allocator: {@link PooledByteBufAllocator#DEFAULT}, or {@link
   * UnpooledByteBufAllocator#DEFAULT} with the setting {@code cistern.allocator.type=unpooled}.
   */
  ByteBufAllocator DEFAULT = AllocatorSettings.defaultAllocator();

  /** Returns a buffer of the preferred kind. */
  ByteBuf buffer();

  /** Returns a buffer of the preferred kind. */
  ByteBuf buffer(int initialCapacity);

  /** Returns a buffer of the preferred kind. */
  ByteBuf buffer(int initialCapacity, int maxCapacity);

  /** Allocates a buffer for I/O, which is direct. */
  ByteBuf ioBuffer();

  /** Allocates a buffer for I/O, which is direct. */
  ByteBuf ioBuffer(int initialCapacity);

  /** Allocates a buffer for I/O, which is direct. */
  ByteBuf ioBuffer(int initialCapacity, int maxCapacity);

  /** Returns a buffer on the heap. */
  ByteBuf heapBuffer();

  /** Returns a buffer on the heap. */
  ByteBuf heapBuffer(int initialCapacity);

  /** Returns a buffer on the heap. */
  ByteBuf heapBuffer(int initialCapacity, int maxCapacity);

  /** Returns a buffer in native memory. */
  ByteBuf directBuffer();

  /** Returns a buffer in native memory. */
  ByteBuf directBuffer(int initialCapacity);

  /** Returns a buffer in native memory. */
  ByteBuf directBuffer(int initialCapacity, int maxCapacity);

  /**
   * Returns an empty composite of up to 16 components, which grows by memory of the preferred kind.
   */
  CompositeByteBuf compositeBuffer();

  /**
   * Returns an empty composite with a maximum number of components, which grows by memory of the
   * preferred kind.
   */
  CompositeByteBuf compositeBuffer(int maxNumComponents);

  /** Returns an empty composite of up to 16 components, which grows by memory on the heap. */
  CompositeByteBuf compositeHeapBuffer();

  /**
   * Returns an empty composite with a maximum number of components, which grows by memory on the
   * heap.
   */
  CompositeByteBuf compositeHeapBuffer(int maxNumComponents);

  /** Returns an empty composite of up to 16 components, which grows by native memory. */
  CompositeByteBuf compositeDirectBuffer();

  /**
   * Returns an empty composite with a maximum number of components, which grows by native memory.
   */
  CompositeByteBuf compositeDirectBuffer(int maxNumComponents);

  /** Returns whether direct buffers come from a pool. */
  boolean isDirectBufferPooled();

  /**
   * Returns the capacity to which a buffer grows if it needs {@code minNewCapacity} bytes.
   *
   * @param minNewCapacity the required capacity in bytes, from 0 to {@code maxCapacity}
   * @return the capacity in bytes, from {@code minNewCapacity} to {@code maxCapacity}
   * @throws IllegalArgumentException if {@code minNewCapacity} is outside its range
   */
  int calculateNewCapacity(int minNewCapacity, int maxCapacity);
}
