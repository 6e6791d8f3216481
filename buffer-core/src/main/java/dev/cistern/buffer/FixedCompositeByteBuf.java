/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ReadOnlyBufferException;

/**
 * What several buffers had to read, seen as one buffer that can neither be written to nor changed
 * (seed row C4). It owns the buffers.
 */
final class FixedCompositeByteBuf extends JoinedByteBuf {
  private final ByteBufAllocator allocator;

  /** The buffers are released with this one. */
  FixedCompositeByteBuf(ByteBufAllocator allocator, ByteBuf... buffers) {
    super(Integer.MAX_VALUE);
    this.allocator = allocator;
    reserve(buffers.length);
    for (ByteBuf buffer : buffers) {
      insert(count(), buffer, buffer.readerIndex(), buffer.readableBytes());
    }
    changed();
    maxCapacity(capacity());
    setIndex(0, capacity());
  }

  @Override
  public ByteBufAllocator alloc() {
    return allocator;
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  @Override
  public boolean isWritable(int size) {
    return false;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public ByteBuf discardReadBytes() {
    throw new ReadOnlyBufferException();
  }

  @Override
  public ByteBuf copy(int index, int length) {
    check(index, length);
    return allocator.buffer(length).writeBytes(this, index, length);
  }

  @Override
  public String toString() {
    String text = super.toString();
    return text.substring(0, text.length() - 1) + ", components=" + count() + ")";
  }
}
