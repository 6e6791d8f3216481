/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.Region;
import java.util.Objects;

/**
 * A buffer over an array of its own, for those who want to choose the arrays: the subclass says how
 * they come and go. All others use an allocator, or {@link Unpooled}.
 */
public class UnpooledHeapByteBuf extends UnpooledByteBuf {
  /**
   * An empty buffer. {@link #allocateArray} is called in here.
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
   * A buffer over an array that is all to be read, and goes to {@link #freeArray} in the end.
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

  /** Makes an array; called by the constructor, and when the capacity changes. */
  protected byte[] allocateArray(int initialCapacity) {
    return new byte[initialCapacity];
  }

  /** Takes an array that this buffer no longer uses: by default, nothing is to be done. */
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
