/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of Netty over the bytes of a buffer of the library. It has its own indices and marks.
 * The bytes and the reference count are those of the origin, which is big endian.
 */
final class CisternBackedByteBuf extends AbstractByteBuf {
  private final dev.cistern.buffer.ByteBuf buffer;

  private CisternBackedByteBuf(dev.cistern.buffer.ByteBuf buffer) {
    super(buffer.maxCapacity());
    this.buffer = buffer;
  }

  /** Returns a buffer over the same bytes, with the indices of {@code buffer}. */
  static ByteBuf over(dev.cistern.buffer.ByteBuf buffer) {
    ByteBuf wrapper = new CisternBackedByteBuf(buffer);
    return wrapper.setIndex(buffer.readerIndex(), buffer.writerIndex());
  }

  /** Returns the buffer that owns the bytes. */
  dev.cistern.buffer.ByteBuf origin() {
    return buffer;
  }

  // ---- the reference count: that of the origin ----

  @Override
  public int refCnt() {
    return buffer.refCnt();
  }

  @Override
  public ByteBuf retain() {
    try {
      buffer.retain();
      return this;
    } catch (dev.cistern.util.IllegalReferenceCountException released) {
      throw translated(released);
    }
  }

  @Override
  public ByteBuf retain(int increment) {
    try {
      buffer.retain(increment);
      return this;
    } catch (dev.cistern.util.IllegalReferenceCountException released) {
      throw translated(released);
    }
  }

  @Override
  public boolean release() {
    try {
      return buffer.release();
    } catch (dev.cistern.util.IllegalReferenceCountException released) {
      throw translated(released);
    }
  }

  @Override
  public boolean release(int decrement) {
    try {
      return buffer.release(decrement);
    } catch (dev.cistern.util.IllegalReferenceCountException released) {
      throw translated(released);
    }
  }

  /** Returns the exception that callers of this kind of buffer expect. */
  private static IllegalReferenceCountException translated(
      dev.cistern.util.IllegalReferenceCountException released) {
    IllegalReferenceCountException translated =
        new IllegalReferenceCountException(String.valueOf(released.getMessage()));
    translated.initCause(released);
    return translated;
  }

  @Override
  public ByteBuf touch() {
    buffer.touch();
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    buffer.touch(hint);
    return this;
  }

  // ---- properties of the origin ----

  @Override
  public int capacity() {
    return buffer.capacity();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    buffer.capacity(newCapacity);
    trimIndicesToCapacity(newCapacity);
    return this;
  }

  @Override
  public ByteBufAllocator alloc() {
    return CisternAllocator.DEFAULT;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's, and every buffer has it
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null; // the origin is a buffer of another type
  }

  @Override
  public boolean isReadOnly() {
    return buffer.isReadOnly();
  }

  @Override
  public boolean isWritable() {
    return !isReadOnly() && super.isWritable();
  }

  @Override
  public boolean isWritable(int bytes) {
    return !isReadOnly() && super.isWritable(bytes);
  }

  @Override
  public ByteBuf ensureWritable(int minWritableBytes) {
    if (isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    return super.ensureWritable(minWritableBytes);
  }

  /** Returns 1, for not enough bytes, if the origin is read-only. */
  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    return isReadOnly() ? 1 : super.ensureWritable(minWritableBytes, force);
  }

  @Override
  public boolean isDirect() {
    return buffer.isDirect();
  }

  @Override
  public boolean isContiguous() {
    return buffer.isContiguous();
  }

  @Override
  public boolean hasArray() {
    return buffer.hasArray();
  }

  @Override
  public byte[] array() {
    ensureAccessible();
    return buffer.array();
  }

  @Override
  public int arrayOffset() {
    ensureAccessible();
    return buffer.arrayOffset();
  }

  @Override
  public boolean hasMemoryAddress() {
    return buffer.hasMemoryAddress();
  }

  @Override
  public long memoryAddress() {
    ensureAccessible();
    return buffer.memoryAddress();
  }

  // ---- bulk ----

  @Override
  public ByteBuf copy(int index, int length) {
    checkIndex(index, length);
    ByteBuf copy =
        isDirect()
            ? alloc().directBuffer(length, maxCapacity())
            : alloc().heapBuffer(length, maxCapacity());
    return copy.writeBytes(this, index, length);
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf target, int targetIndex, int length) {
    checkDstIndex(index, length, targetIndex, target.capacity());
    int to = targetIndex;
    for (ByteBuffer part : buffer.nioBuffers(index, length)) {
      int bytes = part.remaining();
      target.setBytes(to, part);
      to += bytes;
    }
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] target, int targetIndex, int length) {
    checkDstIndex(index, length, targetIndex, target.length);
    buffer.getBytes(index, target, targetIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer target) {
    checkIndex(index, target.remaining());
    if (target.hasRemaining()) { // an empty target may be read-only
      buffer.getBytes(index, target);
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf source, int sourceIndex, int length) {
    checkSrcIndex(index, length, sourceIndex, source.capacity());
    if (source.nioBufferCount() < 0) {
      byte[] copy = new byte[length];
      source.getBytes(sourceIndex, copy);
      buffer.setBytes(index, copy);
      return this;
    }
    int to = index;
    for (ByteBuffer part : source.nioBuffers(sourceIndex, length)) {
      int bytes = part.remaining();
      buffer.setBytes(to, part);
      to += bytes;
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] source, int sourceIndex, int length) {
    checkSrcIndex(index, length, sourceIndex, source.length);
    buffer.setBytes(index, source, sourceIndex, length);
    return this;
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    checkIndex(index, length);
    buffer.setZero(index, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer source) {
    if (!source.hasRemaining() && hasMemoryAddress()) {
      return this; // as in Netty's buffers with an address, which do not check the index here
    }
    checkIndex(index, source.remaining());
    buffer.setBytes(index, source);
    return this;
  }

  // ---- streams and channels ----

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    checkIndex(index, length);
    buffer.getBytes(index, out, length);
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    checkIndex(index, length);
    return buffer.getBytes(index, out, length);
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    checkIndex(index, length);
    return buffer.getBytes(index, out, position, length);
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    checkIndex(index, length);
    return buffer.setBytes(index, in, length);
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    checkIndex(index, length);
    return buffer.setBytes(index, in, length);
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    checkIndex(index, length);
    return buffer.setBytes(index, in, position, length);
  }

  // ---- NIO views ----

  @Override
  public int nioBufferCount() {
    return buffer.nioBufferCount();
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    checkIndex(index, length);
    return buffer.nioBuffer(index, length);
  }

  /** Returns a new NIO buffer, because the owner of the origin uses the origin's internal one. */
  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return nioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    checkIndex(index, length);
    return buffer.nioBuffers(index, length);
  }

  // ---- single values; the callers check the bounds ----

  @Override
  protected byte _getByte(int index) {
    return buffer.getByte(index);
  }

  @Override
  protected short _getShort(int index) {
    return buffer.getShort(index);
  }

  @Override
  protected short _getShortLE(int index) {
    return buffer.getShortLE(index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return buffer.getUnsignedMedium(index);
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return buffer.getUnsignedMediumLE(index);
  }

  @Override
  protected int _getInt(int index) {
    return buffer.getInt(index);
  }

  @Override
  protected int _getIntLE(int index) {
    return buffer.getIntLE(index);
  }

  @Override
  protected long _getLong(int index) {
    return buffer.getLong(index);
  }

  @Override
  protected long _getLongLE(int index) {
    return buffer.getLongLE(index);
  }

  @Override
  protected void _setByte(int index, int value) {
    buffer.setByte(index, value);
  }

  @Override
  protected void _setShort(int index, int value) {
    buffer.setShort(index, value);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    buffer.setShortLE(index, value);
  }

  @Override
  protected void _setMedium(int index, int value) {
    buffer.setMedium(index, value);
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    buffer.setMediumLE(index, value);
  }

  @Override
  protected void _setInt(int index, int value) {
    buffer.setInt(index, value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    buffer.setIntLE(index, value);
  }

  @Override
  protected void _setLong(int index, long value) {
    buffer.setLong(index, value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    buffer.setLongLE(index, value);
  }
}
