/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/**
 * Makes buffers. Thread-safe.
 *
 * <p>Capacities are in bytes. A method without an initial capacity starts at 256, one without a
 * maximum allows {@link Integer#MAX_VALUE}. A negative capacity, or an initial one above the
 * maximum, is refused with {@link IllegalArgumentException}; memory that cannot be had, with {@link
 * OutOfMemoryError}.
 */
public interface ByteBufAllocator {
  /**
   * The allocator for who does not choose (seed row A16): {@link PooledByteBufAllocator#DEFAULT},
   * or {@link UnpooledByteBufAllocator#DEFAULT} with the setting {@code
   * cistern.allocator.type=unpooled}.
   */
  ByteBufAllocator DEFAULT = AllocatorSettings.defaultAllocator();

  /** A buffer of the preferred kind. */
  ByteBuf buffer();

  /** A buffer of the preferred kind. */
  ByteBuf buffer(int initialCapacity);

  /** A buffer of the preferred kind. */
  ByteBuf buffer(int initialCapacity, int maxCapacity);

  /** Allocates a buffer for I/O, which is direct. */
  ByteBuf ioBuffer();

  /** Allocates a buffer for I/O, which is direct. */
  ByteBuf ioBuffer(int initialCapacity);

  /** Allocates a buffer for I/O, which is direct. */
  ByteBuf ioBuffer(int initialCapacity, int maxCapacity);

  /** A buffer on the heap. */
  ByteBuf heapBuffer();

  /** A buffer on the heap. */
  ByteBuf heapBuffer(int initialCapacity);

  /** A buffer on the heap. */
  ByteBuf heapBuffer(int initialCapacity, int maxCapacity);

  /** A buffer in native memory. */
  ByteBuf directBuffer();

  /** A buffer in native memory. */
  ByteBuf directBuffer(int initialCapacity);

  /** A buffer in native memory. */
  ByteBuf directBuffer(int initialCapacity, int maxCapacity);

  /** An empty composite of at most 16 components, which grows by memory of the preferred kind. */
  CompositeByteBuf compositeBuffer();

  /** An empty composite of so many components, which grows by memory of the preferred kind. */
  CompositeByteBuf compositeBuffer(int maxNumComponents);

  /** An empty composite of at most 16 components, which grows by memory on the heap. */
  CompositeByteBuf compositeHeapBuffer();

  /** An empty composite of so many components, which grows by memory on the heap. */
  CompositeByteBuf compositeHeapBuffer(int maxNumComponents);

  /** An empty composite of at most 16 components, which grows by native memory. */
  CompositeByteBuf compositeDirectBuffer();

  /** An empty composite of so many components, which grows by native memory. */
  CompositeByteBuf compositeDirectBuffer(int maxNumComponents);

  /** True if direct buffers come from a pool. */
  boolean isDirectBufferPooled();

  /**
   * The capacity to grow to where {@code minNewCapacity} is needed (seed row A14).
   *
   * @param minNewCapacity from 0 to {@code maxCapacity}
   * @return from {@code minNewCapacity} to {@code maxCapacity}
   * @throws IllegalArgumentException otherwise
   */
  int calculateNewCapacity(int minNewCapacity, int maxCapacity);
}
