/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;

/** A read-only buffer of the readable bytes of several buffers, which it owns. */
@SuppressWarnings("deprecation") // order() is deprecated
final class FixedCompositeByteBuf extends AbstractCompositeByteBuf {
  private FixedCompositeByteBuf(ByteBufAllocator allocator, ByteBuf... buffers) {
    super(allocator);
    for (ByteBuf buffer : buffers) {
      ByteBuf bigEndian = buffer.order(ByteOrder.BIG_ENDIAN);
      insert(count(), bigEndian, buffer.readerIndex(), buffer.readableBytes());
    }
    changed();
    maxCapacity(capacity());
    setIndex(0, capacity());
  }

  /**
   * Returns a buffer over buffers of one byte order, with the same byte order. It takes the buffers
   * over.
   *
   * @throws IllegalArgumentException if the orders differ; the buffers are released
   * @throws IllegalReferenceCountException if one is released already; all buffers are released
   */
  static ByteBuf of(ByteBufAllocator allocator, ByteBuf... buffers) {
    try {
      ByteOrder order = buffers.length == 0 ? ByteOrder.BIG_ENDIAN : buffers[0].order();
      long bytes = 0;
      for (ByteBuf buffer : buffers) {
        bytes += buffer.readableBytes();
        if (buffer.order() != order || bytes > Integer.MAX_VALUE) {
          throw new IllegalArgumentException(
              buffer + " after " + buffers[0] + " (expected: the same byte order, 2 GiB in all)");
        } else if (Checks.CHECK_ACCESSIBLE && buffer.refCnt() == 0) {
          throw new IllegalReferenceCountException(0);
        }
      }
      return new FixedCompositeByteBuf(allocator, buffers).order(order);
    } catch (RuntimeException | Error failed) {
      for (ByteBuf buffer : buffers) {
        ReferenceCountUtil.safeRelease(buffer);
      }
      throw failed;
    }
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  /** Returns a view with its own indices, as any composite does. */
  @Override
  public ByteBuf asReadOnly() {
    return ViewByteBuf.whole(this, true);
  }

  @Override
  int writableCapacity() {
    return -1;
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
  public ByteBuffer nioBuffer(int index, int length) {
    return super.nioBuffer(index, length).asReadOnlyBuffer();
  }

  /** Returns read-only NIO buffers, and none for an empty range. */
  @Override
  ByteBuffer[] parts(int index, int length) {
    ByteBuffer[] pieces = super.parts(index, length);
    Arrays.setAll(pieces, i -> pieces[i].asReadOnlyBuffer());
    return length == 0 ? new ByteBuffer[0] : pieces;
  }

  @Override
  public ByteBuf copy(int index, int length) {
    check(index, length);
    return copied(alloc().buffer(length), index, length);
  }
}
