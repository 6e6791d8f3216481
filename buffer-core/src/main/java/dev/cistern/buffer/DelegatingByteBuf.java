/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ByteProcessor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that hands every call on to another one, indices and marks included; what returns the
 * buffer itself returns this one. Subclasses change a few calls, or one of the three hooks.
 */
@SuppressWarnings("deprecation") // of order
abstract class DelegatingByteBuf extends ByteBuf {
  /** Where calls go. */
  final ByteBuf target;

  DelegatingByteBuf(ByteBuf target) {
    this.target = target;
  }

  /**
   * The target, asked for once by each operation that is more than a look at or a move of indices.
   */
  ByteBuf memory() {
    return target;
  }

  /** What is handed out for a view that the target made. */
  ByteBuf derived(ByteBuf view) {
    return view;
  }

  /** What is handed out for a copy that the target made. */
  ByteBuf copied(ByteBuf copy) {
    return copy;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return target;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + target + ")";
  }

  @Override
  public int capacity() {
    return target.capacity();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    memory().capacity(newCapacity);
    return this;
  }

  @Override
  public int maxCapacity() {
    return target.maxCapacity();
  }

  @Override
  public ByteBufAllocator alloc() {
    return target.alloc();
  }

  @Override
  public ByteOrder order() {
    return target.order();
  }

  @Override
  public boolean isDirect() {
    return target.isDirect();
  }

  @Override
  public boolean isReadOnly() {
    return target.isReadOnly();
  }

  @Override
  public int readerIndex() {
    return target.readerIndex();
  }

  @Override
  public ByteBuf readerIndex(int readerIndex) {
    target.readerIndex(readerIndex);
    return this;
  }

  @Override
  public int writerIndex() {
    return target.writerIndex();
  }

  @Override
  public ByteBuf writerIndex(int writerIndex) {
    target.writerIndex(writerIndex);
    return this;
  }

  @Override
  public ByteBuf setIndex(int readerIndex, int writerIndex) {
    target.setIndex(readerIndex, writerIndex);
    return this;
  }

  @Override
  public int readableBytes() {
    return target.readableBytes();
  }

  @Override
  public int writableBytes() {
    return target.writableBytes();
  }

  @Override
  public int maxWritableBytes() {
    return target.maxWritableBytes();
  }

  @Override
  public int maxFastWritableBytes() {
    return target.maxFastWritableBytes();
  }

  @Override
  public boolean isReadable() {
    return target.isReadable();
  }

  @Override
  public boolean isReadable(int size) {
    return target.isReadable(size);
  }

  @Override
  public boolean isWritable() {
    return target.isWritable();
  }

  @Override
  public boolean isWritable(int size) {
    return target.isWritable(size);
  }

  @Override
  public ByteBuf clear() {
    target.clear();
    return this;
  }

  @Override
  public ByteBuf markReaderIndex() {
    target.markReaderIndex();
    return this;
  }

  @Override
  public ByteBuf resetReaderIndex() {
    target.resetReaderIndex();
    return this;
  }

  @Override
  public ByteBuf markWriterIndex() {
    target.markWriterIndex();
    return this;
  }

  @Override
  public ByteBuf resetWriterIndex() {
    target.resetWriterIndex();
    return this;
  }

  @Override
  public ByteBuf discardReadBytes() {
    memory().discardReadBytes();
    return this;
  }

  @Override
  public ByteBuf discardSomeReadBytes() {
    memory().discardSomeReadBytes();
    return this;
  }

  @Override
  public ByteBuf ensureWritable(int minWritableBytes) {
    memory().ensureWritable(minWritableBytes);
    return this;
  }

  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    return memory().ensureWritable(minWritableBytes, force);
  }

  @Override
  public byte getByte(int index) {
    return memory().getByte(index);
  }

  @Override
  public short getShort(int index) {
    return memory().getShort(index);
  }

  @Override
  public short getShortLE(int index) {
    return memory().getShortLE(index);
  }

  @Override
  public int getUnsignedMedium(int index) {
    return memory().getUnsignedMedium(index);
  }

  @Override
  public int getUnsignedMediumLE(int index) {
    return memory().getUnsignedMediumLE(index);
  }

  @Override
  public int getInt(int index) {
    return memory().getInt(index);
  }

  @Override
  public int getIntLE(int index) {
    return memory().getIntLE(index);
  }

  @Override
  public long getLong(int index) {
    return memory().getLong(index);
  }

  @Override
  public long getLongLE(int index) {
    return memory().getLongLE(index);
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    memory().getBytes(index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    memory().getBytes(index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer dst) {
    memory().getBytes(index, dst);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    memory().getBytes(index, out, length);
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return memory().getBytes(index, out, length);
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    return memory().getBytes(index, out, position, length);
  }

  @Override
  public CharSequence getCharSequence(int index, int length, Charset charset) {
    return memory().getCharSequence(index, length, charset);
  }

  @Override
  public ByteBuf setByte(int index, int value) {
    memory().setByte(index, value);
    return this;
  }

  @Override
  public ByteBuf setShort(int index, int value) {
    memory().setShort(index, value);
    return this;
  }

  @Override
  public ByteBuf setShortLE(int index, int value) {
    memory().setShortLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setMedium(int index, int value) {
    memory().setMedium(index, value);
    return this;
  }

  @Override
  public ByteBuf setMediumLE(int index, int value) {
    memory().setMediumLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setInt(int index, int value) {
    memory().setInt(index, value);
    return this;
  }

  @Override
  public ByteBuf setIntLE(int index, int value) {
    memory().setIntLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setLong(int index, long value) {
    memory().setLong(index, value);
    return this;
  }

  @Override
  public ByteBuf setLongLE(int index, long value) {
    memory().setLongLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int length) {
    memory().setBytes(index, src, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    memory().setBytes(index, src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    memory().setBytes(index, src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer src) {
    memory().setBytes(index, src);
    return this;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    return memory().setBytes(index, in, length);
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    return memory().setBytes(index, in, length);
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    return memory().setBytes(index, in, position, length);
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    memory().setZero(index, length);
    return this;
  }

  @Override
  public int setCharSequence(int index, CharSequence sequence, Charset charset) {
    return memory().setCharSequence(index, sequence, charset);
  }

  @Override
  public byte readByte() {
    return memory().readByte();
  }

  @Override
  public short readShort() {
    return memory().readShort();
  }

  @Override
  public short readShortLE() {
    return memory().readShortLE();
  }

  @Override
  public int readUnsignedMedium() {
    return memory().readUnsignedMedium();
  }

  @Override
  public int readUnsignedMediumLE() {
    return memory().readUnsignedMediumLE();
  }

  @Override
  public int readInt() {
    return memory().readInt();
  }

  @Override
  public int readIntLE() {
    return memory().readIntLE();
  }

  @Override
  public long readLong() {
    return memory().readLong();
  }

  @Override
  public long readLongLE() {
    return memory().readLongLE();
  }

  @Override
  public ByteBuf readBytes(int length) {
    return copied(memory().readBytes(length));
  }

  @Override
  public ByteBuf readSlice(int length) {
    return derived(memory().readSlice(length));
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    return derived(memory().readRetainedSlice(length));
  }

  @Override
  public ByteBuf readBytes(ByteBuf dst, int length) {
    memory().readBytes(dst, length);
    return this;
  }

  @Override
  public ByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    memory().readBytes(dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    memory().readBytes(dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf readBytes(ByteBuffer dst) {
    memory().readBytes(dst);
    return this;
  }

  @Override
  public ByteBuf readBytes(OutputStream out, int length) throws IOException {
    memory().readBytes(out, length);
    return this;
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    return memory().readBytes(out, length);
  }

  @Override
  public CharSequence readCharSequence(int length, Charset charset) {
    return memory().readCharSequence(length, charset);
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    return memory().readBytes(out, position, length);
  }

  @Override
  public ByteBuf skipBytes(int length) {
    memory().skipBytes(length);
    return this;
  }

  @Override
  public ByteBuf writeByte(int value) {
    memory().writeByte(value);
    return this;
  }

  @Override
  public ByteBuf writeShort(int value) {
    memory().writeShort(value);
    return this;
  }

  @Override
  public ByteBuf writeShortLE(int value) {
    memory().writeShortLE(value);
    return this;
  }

  @Override
  public ByteBuf writeMedium(int value) {
    memory().writeMedium(value);
    return this;
  }

  @Override
  public ByteBuf writeMediumLE(int value) {
    memory().writeMediumLE(value);
    return this;
  }

  @Override
  public ByteBuf writeInt(int value) {
    memory().writeInt(value);
    return this;
  }

  @Override
  public ByteBuf writeIntLE(int value) {
    memory().writeIntLE(value);
    return this;
  }

  @Override
  public ByteBuf writeLong(long value) {
    memory().writeLong(value);
    return this;
  }

  @Override
  public ByteBuf writeLongLE(long value) {
    memory().writeLongLE(value);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuf src, int length) {
    memory().writeBytes(src, length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    memory().writeBytes(src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    memory().writeBytes(src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuffer src) {
    memory().writeBytes(src);
    return this;
  }

  @Override
  public int writeBytes(InputStream in, int length) throws IOException {
    return memory().writeBytes(in, length);
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
    return memory().writeBytes(in, length);
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) throws IOException {
    return memory().writeBytes(in, position, length);
  }

  @Override
  public ByteBuf writeZero(int length) {
    memory().writeZero(length);
    return this;
  }

  @Override
  public int writeCharSequence(CharSequence sequence, Charset charset) {
    return memory().writeCharSequence(sequence, charset);
  }

  @Override
  public int indexOf(int fromIndex, int toIndex, byte value) {
    return memory().indexOf(fromIndex, toIndex, value);
  }

  @Override
  public int bytesBefore(int length, byte value) {
    return memory().bytesBefore(length, value);
  }

  @Override
  public int forEachByte(int index, int length, ByteProcessor processor) {
    return memory().forEachByte(index, length, processor);
  }

  @Override
  public int forEachByteDesc(int index, int length, ByteProcessor processor) {
    return memory().forEachByteDesc(index, length, processor);
  }

  @Override
  public ByteBuf copy(int index, int length) {
    return copied(memory().copy(index, length));
  }

  @Override
  public ByteBuf slice(int index, int length) {
    return derived(memory().slice(index, length));
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    return derived(memory().retainedSlice(index, length));
  }

  @Override
  public ByteBuf duplicate() {
    return derived(memory().duplicate());
  }

  @Override
  public ByteBuf retainedDuplicate() {
    return derived(memory().retainedDuplicate());
  }

  @Override
  public int nioBufferCount() {
    return memory().nioBufferCount();
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    return memory().nioBuffer(index, length);
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return memory().internalNioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return memory().nioBuffers(index, length);
  }

  @Override
  public boolean hasArray() {
    return target.hasArray();
  }

  @Override
  public byte[] array() {
    return target.array();
  }

  @Override
  public int arrayOffset() {
    return target.arrayOffset();
  }

  @Override
  public boolean hasMemoryAddress() {
    return target.hasMemoryAddress();
  }

  @Override
  public long memoryAddress() {
    return target.memoryAddress();
  }

  @Override
  public boolean isContiguous() {
    return target.isContiguous();
  }

  @Override
  public String toString(int index, int length, Charset charset) {
    return memory().toString(index, length, charset);
  }

  @Override
  public int hashCode() {
    return target.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return target.equals(other);
  }

  @Override
  public int compareTo(ByteBuf buffer) {
    return target.compareTo(buffer);
  }

  @Override
  public ByteBuf retain(int increment) {
    target.retain(increment);
    return this;
  }

  @Override
  public ByteBuf retain() {
    target.retain();
    return this;
  }

  @Override
  public ByteBuf touch() {
    target.touch();
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    target.touch(hint);
    return this;
  }

  @Override
  public ByteBuf asReadOnly() {
    return isReadOnly() ? this : derived(memory().asReadOnly());
  }

  @Override
  public ByteBuf order(ByteOrder endianness) {
    return endianness == order() ? this : derived(memory().order(endianness));
  }

  @Override
  public int refCnt() {
    return target.refCnt();
  }

  @Override
  public boolean release() {
    return target.release();
  }

  @Override
  public boolean release(int decrement) {
    return target.release(decrement);
  }
}
