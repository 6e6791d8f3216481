/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The kinds of allocators that are compared with Netty's allocators of the same kind. */
enum AllocatorKind {
  UNPOOLED_HEAP(unpooled(false)),
  UNPOOLED_DIRECT(unpooled(true)),
  UNPOOLED_UNWATCHED(Both.construct("buffer.UnpooledByteBufAllocator", false, true)),
  UNPOOLED_WITH_CLEANER(Both.construct("buffer.UnpooledByteBufAllocator", true, true, false)),
  POOLED_HEAP(pooled(false, 2, 2)),
  POOLED_DIRECT(pooled(true, 2, 2)),
  POOLED_WITHOUT_HEAP_ARENAS(pooled(false, 0, 2)),
  POOLED_WITHOUT_DIRECT_ARENAS(pooled(true, 2, 0)),
  POOLED_WITHOUT_ARENAS(pooled(false, 0, 0)),
  SUBCLASS_HEAP(new Both(new TheirSubclass(false), new OurSubclass(false))),
  SUBCLASS_DIRECT(new Both(new TheirSubclass(true), new OurSubclass(true))),
  SUBCLASS_UNPOOLED(new Both(new TheirSubclass(), new OurSubclass()));

  @SuppressWarnings("ImmutableEnumChecker") // an allocator, which is thread-safe
  private final Both allocator;

  AllocatorKind(Both allocator) {
    this.allocator = allocator;
  }

  Both allocator() {
    return allocator;
  }

  private static Both unpooled(boolean preferDirect) {
    return Both.construct("buffer.UnpooledByteBufAllocator", preferDirect);
  }

  private static Both pooled(boolean preferDirect, int heapArenas, int directArenas) {
    return Both.construct(
        "buffer.PooledByteBufAllocator", preferDirect, heapArenas, directArenas, 8192, 7);
  }

  /** An allocator that a user bases on Netty's class. */
  private static final class TheirSubclass extends io.netty.buffer.AbstractByteBufAllocator {
    TheirSubclass() {}

    TheirSubclass(boolean preferDirect) {
      super(preferDirect);
    }

    @Override
    protected io.netty.buffer.ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return new io.netty.buffer.UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected io.netty.buffer.ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return new io.netty.buffer.UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  /** The same allocator, based on Cistern's class. */
  private static final class OurSubclass extends AbstractByteBufAllocator {
    OurSubclass() {}

    OurSubclass(boolean preferDirect) {
      super(preferDirect);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }
}
