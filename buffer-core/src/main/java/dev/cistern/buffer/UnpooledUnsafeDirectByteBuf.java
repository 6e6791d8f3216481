/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;

/** The same as its superclass: access is raw there too. */
public class UnpooledUnsafeDirectByteBuf extends UnpooledDirectByteBuf {
  /** As {@link UnpooledDirectByteBuf#UnpooledDirectByteBuf(ByteBufAllocator, int, int)}. */
  public UnpooledUnsafeDirectByteBuf(ByteBufAllocator alloc, int initialCapacity, int maxCapacity) {
    super(alloc, initialCapacity, maxCapacity);
  }

  /** As {@link UnpooledDirectByteBuf#UnpooledDirectByteBuf(ByteBufAllocator, ByteBuffer, int)}. */
  protected UnpooledUnsafeDirectByteBuf(
      ByteBufAllocator alloc, ByteBuffer initialBuffer, int maxCapacity) {
    super(alloc, initialBuffer, maxCapacity);
  }
}
