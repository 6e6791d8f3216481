/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The same as its superclass: access is raw there too. */
public class UnpooledUnsafeHeapByteBuf extends UnpooledHeapByteBuf {
  /** As {@link UnpooledHeapByteBuf#UnpooledHeapByteBuf(ByteBufAllocator, int, int)}. */
  public UnpooledUnsafeHeapByteBuf(ByteBufAllocator alloc, int initialCapacity, int maxCapacity) {
    super(alloc, initialCapacity, maxCapacity);
  }
}
