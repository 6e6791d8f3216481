/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.Checks.CHECK_BOUNDS;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.util.AsciiString;
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
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Indices, marks and checks: every method of {@link ByteBuf} that does not need to know where the
 * bytes are. Where they are is behind the methods that begin with an underscore and the three
 * {@code copy} methods; they are called after the checks, and check nothing.
 */
public abstract class AbstractByteBuf extends NumericByteBuf {
  /**
   * @param maxCapacity the most bytes that the buffer may grow to
   * @throws IllegalArgumentException if negative
   */
  protected AbstractByteBuf(int maxCapacity) {
    super(maxCapacity);
  }

  // Where the bytes are

  /** What holds the bytes in one piece, or null; index 0 is at {@link #memoryOffset} there. */
  @Nullable MemoryByteBuf memory() {
    return null;
  }

  /** Where index 0 is in {@link #memory}. */
  int memoryOffset() {
    return 0;
  }

  /** Fails where a component would refuse its part of a valid range, before any is touched. */
  void checkParts(int index, int length, boolean writes) {}

  /** Copies to memory at {@code base} and {@code address}. */
  void copyOut(int index, byte @Nullable [] base, long address, int length) {
    for (int i = 0; i < length; i++) {
      MemoryAccess.putByte(base, address + i, _getByte(index + i));
    }
  }

  /** Copies from memory at {@code base} and {@code address}. */
  void copyIn(int index, byte @Nullable [] base, long address, int length) {
    for (int i = 0; i < length; i++) {
      _setByte(index + i, MemoryAccess.getByte(base, address + i));
    }
  }

  /**
   * Copies to another buffer. Either may be somebody else's, who may have changed or released the
   * other by now: so both are looked at anew.
   */
  void copyTo(int index, AbstractByteBuf target, int targetIndex, int length) {
    check(index, length);
    byte[] bytes = new byte[length];
    copyOut(index, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
    target.checkWrite(targetIndex, length);
    target.copyIn(targetIndex, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
  }

  /** Copies from memory of a buffer, which {@link #_setByte} of somebody else's may release. */
  void copyFrom(int index, MemoryByteBuf source, int sourceIndex, int length) {
    for (int i = 0; i < length; i++) {
      _setByte(index + i, source.getByte(sourceIndex + i));
    }
  }

  /** Sets bytes to 0. */
  void fillZero(int index, int length) {
    for (int i = 0; i < length; i++) {
      _setByte(index + i, 0);
    }
  }

  /**
   * The index from {@code start} up to before {@code end} at which {@code processor} stopped, or
   * -1.
   */
  int forEachByteAsc0(int start, int end, ByteProcessor processor) throws Exception {
    for (int i = start; i < end; i++) {
      if (!processor.process(_getByte(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The index from {@code rStart} down to {@code rEnd} at which it stopped, or -1. */
  int forEachByteDesc0(int rStart, int rEnd, ByteProcessor processor) throws Exception {
    for (int i = rStart; i >= rEnd; i--) {
      if (!processor.process(_getByte(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The first index of {@code value} from {@code from} up to before {@code to}, or -1. */
  int firstIndexOf(int from, int to, byte value) {
    return ByteSearch.first(this, from, to, value);
  }

  /** The last index of {@code value} from {@code from} up to before {@code to}, or -1. */
  int lastIndexOf(int from, int to, byte value) {
    return ByteSearch.last(this, from, to, value);
  }

  // Order

  @Deprecated
  @Override
  @SuppressWarnings("InlineMeSuggester") // no callers: whoever overrides it says something else
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Deprecated
  @Override
  public ByteBuf order(ByteOrder endianness) {
    Objects.requireNonNull(endianness, "endianness");
    return endianness == order() ? this : newSwappedByteBuf();
  }

  /** A view of this buffer in the other byte order. */
  protected SwappedByteBuf newSwappedByteBuf() {
    return new SwappedByteBuf(this);
  }

  @Override
  public ByteBuf asReadOnly() {
    return isReadOnly() ? this : ViewByteBuf.readOnly(this);
  }

  // Bytes in bulk

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    check(index, length);
    give(index, dst, dstIndex, length);
    return this;
  }

  private void give(int index, ByteBuf dst, int dstIndex, int length) {
    if (dst instanceof AbstractByteBuf target) {
      target.checkWrite(dstIndex, length);
      copyTo(index, target, dstIndex, length);
    } else {
      Transfers.give(this, index, dst, dstIndex, length);
    }
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.length);
    copyOut(index, dst, MemoryAccess.BYTE_ARRAY_OFFSET + dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer dst) {
    int position = dst.position();
    int length = dst.remaining();
    check(index, length);
    Transfers.copyTo(this, index, dst, position, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    check(index, length);
    Transfers.write(this, index, out, length);
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    check(index, length);
    return Transfers.write(this, index, out, length);
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    check(index, length);
    return Transfers.write(this, index, out, position, length);
  }

  @Override
  public CharSequence getCharSequence(int index, int length, Charset charset) {
    check(index, length);
    if (charset.equals(StandardCharsets.US_ASCII) || charset.equals(StandardCharsets.ISO_8859_1)) {
      byte[] bytes = new byte[length];
      copyOut(index, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
      return new AsciiString(bytes, false);
    }
    return toString(index, length, charset);
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int length) {
    check(index, length);
    checkReadable(src, length);
    setBytes(index, src, src.readerIndex(), length);
    src.readerIndex(src.readerIndex() + length);
    return this;
  }

  private static void checkReadable(ByteBuf src, int length) {
    if (CHECK_BOUNDS && length > src.readableBytes()) {
      throw new IndexOutOfBoundsException(
          "length(" + length + ") exceeds what the source has to read, " + src);
    }
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    checkWrite(index, length);
    take(index, src, srcIndex, length);
    return this;
  }

  private void take(int index, ByteBuf src, int srcIndex, int length) {
    if (src instanceof AbstractByteBuf source) {
      source.check(srcIndex, length);
      source.copyTo(srcIndex, this, index, length);
    } else {
      Transfers.take(this, index, src, srcIndex, length);
    }
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkWrite(index, length);
    checkOther("srcIndex", srcIndex, length, src.length);
    copyIn(index, src, MemoryAccess.BYTE_ARRAY_OFFSET + srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer src) {
    int position = src.position();
    int length = src.remaining();
    checkWrite(index, length);
    Transfers.copyFrom(this, index, src, position, length);
    return this;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    checkWrite(index, length);
    return Transfers.read(this, index, in, length);
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    checkWrite(index, length);
    return Transfers.read(this, index, in, length);
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    checkWrite(index, length);
    return Transfers.read(this, index, in, position, length);
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    check(index, length);
    refuseReadOnly();
    fillZero(index, length);
    return this;
  }

  @Override
  public int setCharSequence(int index, CharSequence sequence, Charset charset) {
    return StringTransfers.set(this, index, sequence, charset);
  }

  @Override
  public ByteBuf readBytes(int length) {
    int index = readable(length);
    if (length == 0) {
      return Unpooled.EMPTY_BUFFER;
    }
    ByteBuf read = copied(alloc().buffer(length, maxCapacity()), index, length);
    readerIndex += length;
    return read;
  }

  /** Writes a range to a new buffer, which is released if that fails. */
  final ByteBuf copied(ByteBuf empty, int index, int length) {
    return Unpooled.filled(empty, copy -> copy.writeBytes(this, index, length));
  }

  @Override
  public ByteBuf readSlice(int length) {
    ByteBuf read = slice(readable(length), length);
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    ByteBuf read = retainedSlice(readable(length), length);
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf readBytes(ByteBuf dst, int length) {
    if (CHECK_BOUNDS && length > dst.writableBytes()) {
      throw new IndexOutOfBoundsException(
          "length(" + length + ") exceeds what the target can take, " + dst);
    }
    readBytes(dst, dst.writerIndex(), length);
    dst.writerIndex(dst.writerIndex() + length);
    return this;
  }

  @Override
  public ByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    int index = readable(length);
    give(index, dst, dstIndex, length);
    readerIndex = index + length; // no sum: the target may have moved it
    return this;
  }

  @Override
  public ByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    int index = readable(length);
    checkOther("dstIndex", dstIndex, length, dst.length);
    copyOut(index, dst, MemoryAccess.BYTE_ARRAY_OFFSET + dstIndex, length);
    readerIndex += length;
    return this;
  }

  @Override
  public ByteBuf readBytes(ByteBuffer dst) {
    int position = dst.position();
    int length = dst.remaining();
    Transfers.copyTo(this, readable(length), dst, position, length);
    readerIndex += length;
    return this;
  }

  @Override
  public ByteBuf readBytes(OutputStream out, int length) throws IOException {
    int index = readable(length);
    Transfers.write(this, index, out, length);
    readerIndex = index + length; // no sum: the stream may have moved it
    return this;
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    return gave(Transfers.write(this, readable(length), out, length));
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    return gave(Transfers.write(this, readable(length), out, position, length));
  }

  @Override
  public CharSequence readCharSequence(int length, Charset charset) {
    CharSequence read = getCharSequence(readable(length), length, charset);
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf skipBytes(int length) {
    takeReadable(length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuf src, int length) {
    checkReadable(src, length);
    writeBytes(src, src.readerIndex(), length);
    src.readerIndex(src.readerIndex() + length);
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    int index = room(length);
    take(index, src, srcIndex, length);
    writerIndex = index + length; // no sum: the source may have moved it
    return this;
  }

  @Override
  public ByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    int index = room(length);
    checkOther("srcIndex", srcIndex, length, src.length);
    copyIn(index, src, MemoryAccess.BYTE_ARRAY_OFFSET + srcIndex, length);
    writerIndex += length;
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuffer src) {
    int position = src.position();
    int length = src.remaining();
    Transfers.copyFrom(this, makeRoom(length), src, position, length);
    writerIndex += length;
    return this;
  }

  @Override
  public int writeBytes(InputStream in, int length) throws IOException {
    return wrote(Transfers.read(this, room(length), in, length));
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
    return wrote(Transfers.read(this, room(length), in, length));
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) throws IOException {
    return wrote(Transfers.read(this, room(length), in, position, length));
  }

  @Override
  public ByteBuf writeZero(int length) {
    fillZero(room(length), length);
    writerIndex += length;
    return this;
  }

  @Override
  public int writeCharSequence(CharSequence sequence, Charset charset) {
    return StringTransfers.write(this, sequence, charset);
  }

  // Searches

  @Override
  public int indexOf(int fromIndex, int toIndex, byte value) {
    ensureAccessible();
    if (fromIndex <= toIndex) {
      int from = Math.max(fromIndex, 0);
      if (from >= toIndex || capacity() == 0) {
        return -1;
      }
      check(from, toIndex - from);
      return firstIndexOf(from, toIndex, value);
    }
    int from = Math.min(fromIndex, capacity());
    if (from <= 0) {
      return -1;
    }
    check(toIndex, from - toIndex);
    return lastIndexOf(toIndex, from, value);
  }

  @Override
  public int bytesBefore(int length, byte value) {
    return bytesBefore(readable(length), length, value);
  }

  @Override
  public int forEachByte(int index, int length, ByteProcessor processor) {
    check(index, length);
    return ByteSearch.ascending(this, index, index + length, processor);
  }

  @Override
  public int forEachByteDesc(int index, int length, ByteProcessor processor) {
    check(index, length);
    return ByteSearch.descending(this, index, index + length, processor);
  }

  // Copies and views

  @Override
  public ByteBuf slice(int index, int length) {
    check(index, length);
    return ViewByteBuf.slice(this, index, length);
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    return slice(index, length).retain();
  }

  @Override
  public ByteBuf duplicate() {
    ensureAccessible();
    return ViewByteBuf.duplicate(this);
  }

  @Override
  public ByteBuf retainedDuplicate() {
    return duplicate().retain();
  }

  @Override
  public String toString(int index, int length, Charset charset) {
    if (length == 0) {
      ensureAccessible();
      return "";
    }
    check(index, length);
    return StringTransfers.decode(this, index, length, charset);
  }

  @Override
  public int hashCode() {
    return ByteBufUtil.hashCode(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof ByteBuf buffer && ByteBufUtil.equals(this, buffer));
  }

  @Override
  public int compareTo(ByteBuf buffer) {
    return ByteBufUtil.compare(this, Objects.requireNonNull(buffer, "buffer"));
  }
}
