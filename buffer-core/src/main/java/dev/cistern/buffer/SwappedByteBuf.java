/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A view of another buffer whose numbers have the other byte order. Bytes, indices and marks are
 * those of the other buffer. {@link ByteBuf#order(ByteOrder)} creates it. Methods whose names end
 * in {@code LE} need no such view.
 */
@SuppressWarnings("deprecation") // order() is deprecated
public class SwappedByteBuf extends ForwardingByteBuf {
  private final ByteOrder order;

  /**
   * @param buf the buffer, whose byte order is the opposite one
   */
  public SwappedByteBuf(ByteBuf buf) {
    super(buf);
    order = buf.order() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  @Override
  final ByteBuf bigEndian() {
    return order == ByteOrder.BIG_ENDIAN ? this : target;
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

  /** Returns a new NIO buffer, because that of the target has the other byte order. */
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

  // Numbers

  @Override
  public short getShort(int index) {
    return Short.reverseBytes(target.getShort(index));
  }

  @Override
  public int getUnsignedMedium(int index) {
    return Integer.reverseBytes(target.getUnsignedMedium(index)) >>> 8;
  }

  @Override
  public int getInt(int index) {
    return Integer.reverseBytes(target.getInt(index));
  }

  @Override
  public long getLong(int index) {
    return Long.reverseBytes(target.getLong(index));
  }

  @Override
  public ByteBuf setShort(int index, int value) {
    target.setShort(index, Short.reverseBytes((short) value));
    return this;
  }

  @Override
  public ByteBuf setMedium(int index, int value) {
    target.setMedium(index, Integer.reverseBytes(value) >>> 8);
    return this;
  }

  @Override
  public ByteBuf setInt(int index, int value) {
    target.setInt(index, Integer.reverseBytes(value));
    return this;
  }

  @Override
  public ByteBuf setLong(int index, long value) {
    target.setLong(index, Long.reverseBytes(value));
    return this;
  }

  @Override
  public short readShort() {
    return Short.reverseBytes(target.readShort());
  }

  @Override
  public int readUnsignedMedium() {
    return Integer.reverseBytes(target.readUnsignedMedium()) >>> 8;
  }

  @Override
  public int readInt() {
    return Integer.reverseBytes(target.readInt());
  }

  @Override
  public long readLong() {
    return Long.reverseBytes(target.readLong());
  }

  @Override
  public ByteBuf writeShort(int value) {
    target.writeShort(Short.reverseBytes((short) value));
    return this;
  }

  @Override
  public ByteBuf writeMedium(int value) {
    target.writeMedium(Integer.reverseBytes(value) >>> 8);
    return this;
  }

  @Override
  public ByteBuf writeInt(int value) {
    target.writeInt(Integer.reverseBytes(value));
    return this;
  }

  @Override
  public ByteBuf writeLong(long value) {
    target.writeLong(Long.reverseBytes(value));
    return this;
  }
}
