/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternObserver;

/**
 * The calls of Netty's instrumented classes. They are in a separate class, which is no allocation
 * site.
 */
final class WovenNetty {
  private WovenNetty() {}

  static ByteBuf allocate(AbstractByteBufAllocator allocator, int bytes) {
    ByteBuf made = allocator.directBuffer(bytes, 1 << 20);
    return CisternObserver.allocated(made, allocator, bytes);
  }

  private static ByteBuf bare(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare.unwrap() != null) {
      bare = bare.unwrap();
    }
    return bare;
  }

  static void release(ByteBuf buffer) {
    CisternObserver.deallocated((AbstractReferenceCountedByteBuf) bare(buffer));
    if (!buffer.release()) {
      throw new IllegalStateException("not the only reference");
    }
  }
}
