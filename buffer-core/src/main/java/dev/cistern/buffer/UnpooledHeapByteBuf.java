/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.Region;
import java.util.Objects;

/**
 * A buffer over one array. A subclass can choose how arrays are allocated and freed. Other code
 * uses an allocator or {@link Unpooled}.
 */
public class UnpooledHeapByteBuf extends UnpooledByteBuf {
  /**
   * Creates an empty buffer. This constructor calls {@link #allocateArray}.
   *
   * @throws IllegalArgumentException unless 0 &lt;= initial &lt;= maximum capacity
   */
  public UnpooledHeapByteBuf(ByteBufAllocator alloc, int initialCapacity, int maxCapacity) {
    super(
        Objects.requireNonNull(alloc, "alloc"),
        HEAP,
        AbstractByteBufAllocator.checkedCapacity(initialCapacity, maxCapacity),
        maxCapacity);
  }

  /**
   * Creates a buffer over an array. All bytes are readable. {@link #freeArray} receives the array
   * after its last use.
   *
   * @throws IllegalArgumentException if the array is longer than the maximum capacity
   */
  protected UnpooledHeapByteBuf(ByteBufAllocator alloc, byte[] initialArray, int maxCapacity) {
    super(
        Objects.requireNonNull(alloc, "alloc"),
        Region.of(checked(initialArray, maxCapacity)),
        maxCapacity);
  }

  private static byte[] checked(byte[] array, int maxCapacity) {
    AbstractByteBufAllocator.checkedCapacity(array.length, maxCapacity);
    return array;
  }

  /**
   * Allocates an array. The constructor calls this method, and so does a change of the capacity.
   */
  protected byte[] allocateArray(int initialCapacity) {
    return new byte[initialCapacity];
  }

  /** Frees an array that this buffer no longer uses. Does nothing by default. */
  protected void freeArray(byte[] array) {}

  @Override
  final Region newRegion(int bytes) {
    return Region.of(allocateArray(bytes));
  }

  @Override
  final void freeRegion(Region old) {
    freeArray(Objects.requireNonNull(old.array()));
  }
}
