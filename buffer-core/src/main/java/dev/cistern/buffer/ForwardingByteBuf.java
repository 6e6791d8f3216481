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
 * A wrapper that forwards every call to its target, including indices and marks. It returns itself
 * from methods in which the target returns itself. Sizes and reference counts are forwarded to the
 * method of the same name, because a subclass can override any of them alone. {@link ByteBuf}
 * composes some other methods of forwarded ones, such as unsigned reads and {@code
 * toString(Charset)}; these are not forwarded.
 */
@SuppressWarnings("deprecation") // order() is deprecated
abstract class ForwardingByteBuf extends ByteBuf {
  final ByteBuf target;

  ForwardingByteBuf(ByteBuf target) {
    this.target = target;
  }

  /** Returns the buffer below all wrappers, each of which records an access. */
  static ByteBuf target(ByteBuf buffer) {
    ByteBuf target = buffer;
    while (target instanceof ForwardingByteBuf wrapper) {
      target = wrapper.accessed();
    }
    return target;
  }

  /**
   * Returns the target. Each operation that accesses the memory or creates a view of it calls this
   * method once; operations on indices and marks use the field.
   */
  ByteBuf accessed() {
    return target;
  }

  /** Returns the result for a view that the target created. */
  ByteBuf derived(ByteBuf view) {
    return view;
  }

  /** Returns the result for a copy that the target created. */
  ByteBuf copied(ByteBuf copy) {
    return copy;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very same buffer
  ByteBuf bigEndian() {
    ByteBuf bigEndian = target.bigEndian();
    return bigEndian == target ? this : derived(bigEndian);
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return target;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very same buffer
  public ByteBuf asReadOnly() {
    ByteBuf accessed = accessed();
    ByteBuf readOnly = accessed.asReadOnly();
    return readOnly == accessed ? this : derived(readOnly);
  }

  @Override
  public ByteBuf order(ByteOrder endianness) {
    return endianness == order() ? this : derived(accessed().order(endianness));
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + target + ")";
  }

  // Buffer

  @Override
  public int capacity() {
    return target.capacity();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    accessed().capacity(newCapacity);
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

  // Indices

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
    accessed().discardReadBytes();
    return this;
  }

  @Override
  public ByteBuf discardSomeReadBytes() {
    accessed().discardSomeReadBytes();
    return this;
  }

  @Override
  public ByteBuf ensureWritable(int minWritableBytes) {
    accessed().ensureWritable(minWritableBytes);
    return this;
  }

  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    return accessed().ensureWritable(minWritableBytes, force);
  }

  // Access by an index

  @Override
  public byte getByte(int index) {
    return accessed().getByte(index);
  }

  @Override
  public short getShort(int index) {
    return accessed().getShort(index);
  }

  @Override
  public int getUnsignedMedium(int index) {
    return accessed().getUnsignedMedium(index);
  }

  @Override
  public int getInt(int index) {
    return accessed().getInt(index);
  }

  @Override
  public long getLong(int index) {
    return accessed().getLong(index);
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    accessed().getBytes(index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    accessed().getBytes(index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer dst) {
    accessed().getBytes(index, dst);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    accessed().getBytes(index, out, length);
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return accessed().getBytes(index, out, length);
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    return accessed().getBytes(index, out, position, length);
  }

  @Override
  public CharSequence getCharSequence(int index, int length, Charset charset) {
    return accessed().getCharSequence(index, length, charset);
  }

  @Override
  public ByteBuf setByte(int index, int value) {
    accessed().setByte(index, value);
    return this;
  }

  @Override
  public ByteBuf setShort(int index, int value) {
    accessed().setShort(index, value);
    return this;
  }

  @Override
  public ByteBuf setMedium(int index, int value) {
    accessed().setMedium(index, value);
    return this;
  }

  @Override
  public ByteBuf setInt(int index, int value) {
    accessed().setInt(index, value);
    return this;
  }

  @Override
  public ByteBuf setLong(int index, long value) {
    accessed().setLong(index, value);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int length) {
    accessed().setBytes(index, src, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    accessed().setBytes(index, src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    accessed().setBytes(index, src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer src) {
    accessed().setBytes(index, src);
    return this;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    return accessed().setBytes(index, in, length);
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    return accessed().setBytes(index, in, length);
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    return accessed().setBytes(index, in, position, length);
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    accessed().setZero(index, length);
    return this;
  }

  @Override
  public int setCharSequence(int index, CharSequence sequence, Charset charset) {
    return accessed().setCharSequence(index, sequence, charset);
  }

  // Access that moves an index

  @Override
  public byte readByte() {
    return accessed().readByte();
  }

  @Override
  public short readShort() {
    return accessed().readShort();
  }

  @Override
  public int readUnsignedMedium() {
    return accessed().readUnsignedMedium();
  }

  @Override
  public int readInt() {
    return accessed().readInt();
  }

  @Override
  public long readLong() {
    return accessed().readLong();
  }

  @Override
  public ByteBuf readBytes(int length) {
    return copied(accessed().readBytes(length));
  }

  @Override
  public ByteBuf readSlice(int length) {
    return derived(accessed().readSlice(length));
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    return derived(accessed().readRetainedSlice(length));
  }

  @Override
  public ByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    accessed().readBytes(dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    accessed().readBytes(dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf readBytes(ByteBuffer dst) {
    accessed().readBytes(dst);
    return this;
  }

  @Override
  public ByteBuf readBytes(OutputStream out, int length) throws IOException {
    accessed().readBytes(out, length);
    return this;
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    return accessed().readBytes(out, length);
  }

  @Override
  public CharSequence readCharSequence(int length, Charset charset) {
    return accessed().readCharSequence(length, charset);
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    return accessed().readBytes(out, position, length);
  }

  @Override
  public ByteBuf skipBytes(int length) {
    accessed().skipBytes(length);
    return this;
  }

  @Override
  public ByteBuf writeByte(int value) {
    accessed().writeByte(value);
    return this;
  }

  @Override
  public ByteBuf writeShort(int value) {
    accessed().writeShort(value);
    return this;
  }

  @Override
  public ByteBuf writeMedium(int value) {
    accessed().writeMedium(value);
    return this;
  }

  @Override
  public ByteBuf writeInt(int value) {
    accessed().writeInt(value);
    return this;
  }

  @Override
  public ByteBuf writeLong(long value) {
    accessed().writeLong(value);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    accessed().writeBytes(src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    accessed().writeBytes(src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuffer src) {
    accessed().writeBytes(src);
    return this;
  }

  @Override
  public int writeBytes(InputStream in, int length) throws IOException {
    return accessed().writeBytes(in, length);
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
    return accessed().writeBytes(in, length);
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) throws IOException {
    return accessed().writeBytes(in, position, length);
  }

  @Override
  public ByteBuf writeZero(int length) {
    accessed().writeZero(length);
    return this;
  }

  @Override
  public int writeCharSequence(CharSequence sequence, Charset charset) {
    return accessed().writeCharSequence(sequence, charset);
  }

  // Searches

  @Override
  public int indexOf(int fromIndex, int toIndex, byte value) {
    return accessed().indexOf(fromIndex, toIndex, value);
  }

  @Override
  public int bytesBefore(int length, byte value) {
    return accessed().bytesBefore(length, value);
  }

  @Override
  public int forEachByte(int index, int length, ByteProcessor processor) {
    return accessed().forEachByte(index, length, processor);
  }

  @Override
  public int forEachByteDesc(int index, int length, ByteProcessor processor) {
    return accessed().forEachByteDesc(index, length, processor);
  }

  // Copies and views

  @Override
  public ByteBuf copy(int index, int length) {
    return copied(accessed().copy(index, length));
  }

  @Override
  public ByteBuf slice(int index, int length) {
    return derived(accessed().slice(index, length));
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    return derived(accessed().retainedSlice(index, length));
  }

  @Override
  public ByteBuf duplicate() {
    return derived(accessed().duplicate());
  }

  @Override
  public ByteBuf retainedDuplicate() {
    return derived(accessed().retainedDuplicate());
  }

  // Memory

  @Override
  public int nioBufferCount() {
    return accessed().nioBufferCount();
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    return accessed().nioBuffer(index, length);
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return accessed().internalNioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return accessed().nioBuffers(index, length);
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

  // Methods of an object

  @Override
  public String toString(int index, int length, Charset charset) {
    return accessed().toString(index, length, charset);
  }

  @Override
  public int hashCode() {
    return target.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || target.equals(other);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very same buffer
  public int compareTo(ByteBuf buffer) {
    return this == buffer ? 0 : target.compareTo(buffer); // also of a released buffer
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
  public ByteBuf touch(@Nullable Object hint) {
    target.touch(hint);
    return this;
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
