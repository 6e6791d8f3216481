/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer over an array as foreign code could implement it, with only the required methods. It
 * runs an action, once, before it accesses a byte, or before it returns its capacity.
 */
final class ForeignByteBuf extends AbstractReferenceCountedByteBuf {
  private final byte[] bytes;
  Runnable beforeByte = () -> {};
  Runnable beforeCapacity = () -> {};

  /** Consumer of the array from which bytes were set. */
  Consumer<byte[]> afterArray = source -> {};

  ForeignByteBuf(int capacity) {
    super(capacity);
    bytes = new byte[capacity];
    writerIndex(capacity);
  }

  @Override
  protected void deallocate() {}

  @Override
  protected byte _getByte(int index) {
    Runnable before = beforeByte;
    beforeByte = () -> {};
    before.run();
    return bytes[index];
  }

  @Override
  protected void _setByte(int index, int value) {
    Runnable before = beforeByte;
    beforeByte = () -> {};
    before.run();
    bytes[index] = (byte) value;
  }

  @Override
  protected void _setBytes(int index, byte[] src, int srcIndex, int length) {
    super._setBytes(index, src, srcIndex, length);
    afterArray.accept(src);
  }

  @Override
  protected short _getShort(int index) {
    return ByteBuffer.wrap(bytes).getShort(index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return ((_getShort(index) & 0xFFFF) << 8) | (bytes[index + 2] & 0xFF);
  }

  @Override
  protected int _getInt(int index) {
    return ByteBuffer.wrap(bytes).getInt(index);
  }

  @Override
  protected long _getLong(int index) {
    return ByteBuffer.wrap(bytes).getLong(index);
  }

  @Override
  protected void _setShort(int index, int value) {
    ByteBuffer.wrap(bytes).putShort(index, (short) value);
  }

  @Override
  protected void _setMedium(int index, int value) {
    _setShort(index, value >> 8);
    bytes[index + 2] = (byte) value;
  }

  @Override
  protected void _setInt(int index, int value) {
    ByteBuffer.wrap(bytes).putInt(index, value);
  }

  @Override
  protected void _setLong(int index, long value) {
    ByteBuffer.wrap(bytes).putLong(index, value);
  }

  @Override
  public int capacity() {
    Runnable before = beforeCapacity;
    beforeCapacity = () -> {};
    before.run();
    return bytes.length;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ByteBufAllocator alloc() {
    return UnpooledByteBufAllocator.DEFAULT;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public ByteBuf copy(int index, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    return ByteBuffer.wrap(bytes, index, length).slice();
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return nioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public boolean hasArray() {
    return true;
  }

  @Override
  public byte[] array() {
    return bytes;
  }

  @Override
  public int arrayOffset() {
    return 0;
  }

  @Override
  public boolean hasMemoryAddress() {
    return false;
  }

  @Override
  public long memoryAddress() {
    throw new UnsupportedOperationException();
  }
}
