/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Another buffer, whose numbers it reads and writes in the other byte order (seed row B2). Bytes,
 * indices and marks are the other buffer's, and so is the place of the bytes: it is asked for with
 * each access, so that a buffer that has grown meanwhile is found where it is now.
 *
 * <p>What it is made for is {@link ByteBuf#order(ByteOrder)}; the methods that end in {@code LE}
 * need no such view.
 */
@SuppressWarnings("deprecation") // of order
public class SwappedByteBuf extends ReversedByteBuf {
  private final ByteOrder order;
  private final boolean little;

  /**
   * @param buf the buffer to read and write in the order that is not its own
   */
  public SwappedByteBuf(ByteBuf buf) {
    super(buf);
    little = buf.order() == ByteOrder.BIG_ENDIAN;
    order = little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  @Override
  final short ordered(short value) {
    return little ? value : Short.reverseBytes(value);
  }

  /** The low 24 bits are the value, those above it are anything. */
  @Override
  final int orderedMedium(int value) {
    return little ? value : Integer.reverseBytes(value) >>> 8;
  }

  @Override
  final int ordered(int value) {
    return little ? value : Integer.reverseBytes(value);
  }

  @Override
  final long ordered(long value) {
    return little ? value : Long.reverseBytes(value);
  }

  @Override
  public ByteOrder order() {
    return order;
  }

  @Override
  public ByteBuf order(ByteOrder endianness) {
    return Objects.requireNonNull(endianness, "endianness") == order ? this : target;
  }

  @Override
  ByteBuf derived(ByteBuf view) {
    return view.order(order);
  }

  @Override
  ByteBuf copied(ByteBuf copy) {
    return copy.order(order);
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    return target.nioBuffer(index, length).order(order);
  }

  /** Not the target's own, whose order is another. */
  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return nioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    ByteBuffer[] buffers = target.nioBuffers(index, length);
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = buffers[i].order(order);
    }
    return buffers;
  }
}
