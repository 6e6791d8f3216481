/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer with a region of its own, which goes back to the memory source with the last release.
 */
final class UnpooledByteBuf extends MemoryByteBuf {
  private final ByteBufAllocator allocator;
  private final MemorySource source;
  private Region region;
  private @Nullable ByteBuffer internalView;

  UnpooledByteBuf(ByteBufAllocator allocator, MemorySource source, int capacity, int maxCapacity) {
    super(maxCapacity);
    this.allocator = allocator;
    this.source = source;
    region = source.allocate(capacity);
    place(region.array(), region.address());
    open(capacity);
  }

  @Override
  protected void deallocate() {
    close();
    source.free(region);
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (newCapacity != capacity()) {
      move(newCapacity);
      trimIndicesToCapacity(newCapacity);
      open(newCapacity);
    }
    return this;
  }

  private void move(int newCapacity) {
    Region old = region;
    Region fresh = source.allocate(newCapacity);
    copyOut(0, fresh.array(), fresh.address(), Math.min(capacity(), newCapacity));
    region = fresh;
    internalView = null;
    place(fresh.array(), fresh.address());
    source.free(old);
  }

  @Override
  int offsetInArray() {
    return 0;
  }

  @Override
  ByteBuffer nioView() {
    return region.buffer();
  }

  @Override
  ByteBuffer internalView() {
    ByteBuffer view = internalView;
    if (view == null) {
      view = region.buffer().duplicate();
      internalView = view;
    }
    return view;
  }
}
