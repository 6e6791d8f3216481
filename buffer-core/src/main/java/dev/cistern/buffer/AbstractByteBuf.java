/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.Checks.CHECK_ACCESSIBLE;
import static dev.cistern.buffer.Checks.CHECK_BOUNDS;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.util.AsciiString;
import dev.cistern.util.ByteProcessor;
import dev.cistern.util.IllegalReferenceCountException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
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
public abstract class AbstractByteBuf extends ByteBuf {
  private int readerIndex;
  private int writerIndex;
  private int markedReaderIndex;
  private int markedWriterIndex;
  private int maxCapacity;

  /**
   * @param maxCapacity the most bytes that the buffer may grow to
   * @throws IllegalArgumentException if negative
   */
  protected AbstractByteBuf(int maxCapacity) {
    if (maxCapacity < 0) {
      throw new IllegalArgumentException("maxCapacity: " + maxCapacity + " (expected: >= 0)");
    }
    this.maxCapacity = maxCapacity;
  }

  /**
   * The capacity, or -1 once the buffer is released: so that one comparison finds both a released
   * buffer and an index out of bounds (seed rows B4, B5). It is made with what does not change in a
   * loop on its right side, so that a compiler has little left to do in each round.
   */
  int liveCapacity() {
    return !CHECK_ACCESSIBLE || refCnt() > 0 ? capacity() : -1;
  }

  /**
   * As {@link #liveCapacity}, and -1 also where every write is refused: what all writes are
   * compared with (seed rows B5, B10).
   */
  int writableCapacity() {
    return liveCapacity();
  }

  /** Back to how a new buffer is: indices and marks at 0 (seed row A11). */
  final void resetIndices(int newMaxCapacity) {
    readerIndex = 0;
    writerIndex = 0;
    markedReaderIndex = 0;
    markedWriterIndex = 0;
    maxCapacity = newMaxCapacity;
  }

  // Checks. The failure paths are methods of their own, which keeps the good path small.

  /** Fails unless the buffer is live and {@code length} bytes from {@code index} on are inside. */
  final void check(int index, int length) {
    if (CHECK_BOUNDS) {
      if ((index | length) < 0 || index > liveCapacity() - length) {
        throw AccessFailures.access(this, index, length);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** As {@link #check}, and fails where writes are refused. */
  final void checkWrite(int index, int length) {
    if (CHECK_BOUNDS) {
      if ((index | length) < 0 || index > writableCapacity() - length) {
        throw AccessFailures.write(this, index, length);
      }
    } else if (writableCapacity() < 0 && (CHECK_ACCESSIBLE || isReadOnly())) {
      throw AccessFailures.write(this, index, length);
    }
  }

  /**
   * As {@link #check}, for the constant width of a number. Two comparisons, of which a compiler
   * drops the first where the index counts up from 0, and makes the second before the loop.
   */
  private void checkRead(int index, int width) {
    if (CHECK_BOUNDS) {
      if (index < 0 || index > liveCapacity() - width) {
        throw AccessFailures.access(this, index, width);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** As {@link #checkWrite}, for the constant width of a number. */
  private void checkSet(int index, int width) {
    if (CHECK_BOUNDS) {
      if (index < 0 || index > writableCapacity() - width) {
        throw AccessFailures.write(this, index, width);
      }
    } else {
      checkWrite(index, width);
    }
  }

  /** Takes {@code length} readable bytes; returns the index of the first. */
  private int takeReadable(int length) {
    int index = readerIndex;
    if (CHECK_BOUNDS) {
      int end = writerIndex;
      if (length < 0 || index > end - length || end > liveCapacity()) {
        throw AccessFailures.read(this, length);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
    readerIndex = index + length;
    return index;
  }

  /** Fails unless {@code minimumReadableBytes} can be read. */
  protected final void checkReadableBytes(int minimumReadableBytes) {
    if (CHECK_BOUNDS) {
      // The last one fails for a released buffer, and for a view of a root that has shrunk since.
      if (minimumReadableBytes < 0
          || readerIndex > writerIndex - minimumReadableBytes
          || writerIndex > liveCapacity()) {
        throw AccessFailures.read(this, minimumReadableBytes);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** Takes room for {@code length} bytes, growing if need be; returns the index of the first. */
  final int takeWritable(int length) {
    int index = writerIndex;
    if (index > writableCapacity() - length) {
      growSlow(length);
    }
    writerIndex = index + length;
    return index;
  }

  private void makeRoom(int length) {
    if (writerIndex > writableCapacity() - length) {
      growSlow(length);
    }
  }

  private void growSlow(int length) {
    ensureAccessible();
    long end = (long) writerIndex + length;
    // A read-only buffer, or a view of a root that has shrunk, comes here although there is room.
    if (isReadOnly() || end > maxCapacity || end <= capacity()) {
      throw AccessFailures.growth(this, length);
    }
    capacity(grownCapacity(length));
    if (end > writableCapacity()) { // a subclass, or an allocator, that does as it likes
      throw AccessFailures.growth(this, length);
    }
  }

  private int grownCapacity(int length) {
    int fast = maxFastWritableBytes();
    return fast >= length
        ? writerIndex + fast
        : alloc().calculateNewCapacity(writerIndex + length, maxCapacity);
  }

  private void refuseReadOnly() {
    if (isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
  }

  /** Fails if the buffer is released. */
  protected final void ensureAccessible() {
    if (CHECK_ACCESSIBLE && liveCapacity() < 0 && refCnt() == 0) {
      throw new IllegalReferenceCountException(0);
    }
  }

  /** Fails unless the byte at {@code index} may be touched. */
  protected final void checkIndex(int index) {
    check(index, 1);
  }

  /** Fails unless {@code fieldLength} bytes from {@code index} on may be touched. */
  protected final void checkIndex(int index, int fieldLength) {
    check(index, fieldLength);
  }

  /** As {@link #checkIndex(int, int)}, and for a source of {@code srcCapacity} bytes. */
  protected final void checkSrcIndex(int index, int length, int srcIndex, int srcCapacity) {
    check(index, length);
    checkOther("srcIndex", srcIndex, length, srcCapacity);
  }

  /** As {@link #checkIndex(int, int)}, and for a target of {@code dstCapacity} bytes. */
  protected final void checkDstIndex(int index, int length, int dstIndex, int dstCapacity) {
    check(index, length);
    checkOther("dstIndex", dstIndex, length, dstCapacity);
  }

  /** Fails unless {@code length} bytes can be read, and written to a target. */
  protected final void checkDstIndex(int length, int dstIndex, int dstCapacity) {
    checkReadableBytes(length);
    checkOther("dstIndex", dstIndex, length, dstCapacity);
  }

  private static void checkOther(String name, int index, int length, int capacity) {
    if (CHECK_BOUNDS && (index | length | (index + length) | (capacity - (index + length))) < 0) {
      throw AccessFailures.other(name, index, length, capacity);
    }
  }

  /** Fails unless the buffer is live and may have that capacity. */
  protected final void checkNewCapacity(int newCapacity) {
    ensureAccessible();
    if (CHECK_BOUNDS && (newCapacity < 0 || newCapacity > maxCapacity)) {
      throw new IllegalArgumentException(
          "newCapacity: " + newCapacity + " (expected: 0 to " + maxCapacity + ", maxCapacity)");
    }
  }

  private void checkIndices(int newReaderIndex, int newWriterIndex) {
    if (CHECK_BOUNDS
        && (newReaderIndex < 0 || newReaderIndex > newWriterIndex || newWriterIndex > capacity())) {
      throw AccessFailures.indices(this, newReaderIndex, newWriterIndex);
    }
  }

  // Where the bytes are

  /** Reads a byte. */
  protected abstract byte _getByte(int index);

  /** Reads a 16-bit integer. */
  protected abstract short _getShort(int index);

  /** Reads a 16-bit integer, little endian. */
  protected abstract short _getShortLE(int index);

  /** Reads an unsigned 24-bit integer. */
  protected abstract int _getUnsignedMedium(int index);

  /** Reads an unsigned 24-bit integer, little endian. */
  protected abstract int _getUnsignedMediumLE(int index);

  /** Reads a 32-bit integer. */
  protected abstract int _getInt(int index);

  /** Reads a 32-bit integer, little endian. */
  protected abstract int _getIntLE(int index);

  /** Reads a 64-bit integer. */
  protected abstract long _getLong(int index);

  /** Reads a 64-bit integer, little endian. */
  protected abstract long _getLongLE(int index);

  /** Writes a byte. */
  protected abstract void _setByte(int index, int value);

  /** Writes a 16-bit integer. */
  protected abstract void _setShort(int index, int value);

  /** Writes a 16-bit integer, little endian. */
  protected abstract void _setShortLE(int index, int value);

  /** Writes a 24-bit integer. */
  protected abstract void _setMedium(int index, int value);

  /** Writes a 24-bit integer, little endian. */
  protected abstract void _setMediumLE(int index, int value);

  /** Writes a 32-bit integer. */
  protected abstract void _setInt(int index, int value);

  /** Writes a 32-bit integer, little endian. */
  protected abstract void _setIntLE(int index, int value);

  /** Writes a 64-bit integer. */
  protected abstract void _setLong(int index, long value);

  /** Writes a 64-bit integer, little endian. */
  protected abstract void _setLongLE(int index, long value);

  /** What holds the bytes in one piece, or null; index 0 is at {@link #memoryOffset} there. */
  @Nullable MemoryByteBuf memory() {
    return null;
  }

  /** Where index 0 is in {@link #memory}. */
  int memoryOffset() {
    return 0;
  }

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

  /** Copies to another buffer. */
  void copyTo(int index, AbstractByteBuf target, int targetIndex, int length) {
    byte[] bytes = new byte[length];
    copyOut(index, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
    target.copyIn(targetIndex, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
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

  // Indices

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
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public ByteBuf asReadOnly() {
    return isReadOnly() ? this : ViewByteBuf.readOnly(this);
  }

  @Override
  public int maxCapacity() {
    return maxCapacity;
  }

  /** Changes the maximum capacity. */
  protected final void maxCapacity(int maxCapacity) {
    this.maxCapacity = maxCapacity;
  }

  @Override
  public int readerIndex() {
    return readerIndex;
  }

  @Override
  public ByteBuf readerIndex(int readerIndex) {
    checkIndices(readerIndex, writerIndex);
    this.readerIndex = readerIndex;
    return this;
  }

  @Override
  public int writerIndex() {
    return writerIndex;
  }

  @Override
  public ByteBuf writerIndex(int writerIndex) {
    checkIndices(readerIndex, writerIndex);
    this.writerIndex = writerIndex;
    return this;
  }

  @Override
  public ByteBuf setIndex(int readerIndex, int writerIndex) {
    checkIndices(readerIndex, writerIndex);
    this.readerIndex = readerIndex;
    this.writerIndex = writerIndex;
    return this;
  }

  /** Moves indices that lie beyond a new capacity back to it. */
  protected final void trimIndicesToCapacity(int newCapacity) {
    if (writerIndex > newCapacity) {
      readerIndex = Math.min(readerIndex, newCapacity);
      writerIndex = newCapacity;
    }
  }

  @Override
  public int readableBytes() {
    return writerIndex - readerIndex;
  }

  @Override
  public int writableBytes() {
    return capacity() - writerIndex;
  }

  @Override
  public int maxWritableBytes() {
    return maxCapacity() - writerIndex;
  }

  @Override
  public boolean isReadable() {
    return writerIndex > readerIndex;
  }

  @Override
  public boolean isReadable(int size) {
    return writerIndex - readerIndex >= size;
  }

  @Override
  public boolean isWritable() {
    return !isReadOnly() && capacity() > writerIndex;
  }

  @Override
  public boolean isWritable(int size) {
    return !isReadOnly() && capacity() - writerIndex >= size;
  }

  @Override
  public ByteBuf clear() {
    readerIndex = 0;
    writerIndex = 0;
    return this;
  }

  @Override
  public ByteBuf markReaderIndex() {
    markedReaderIndex = readerIndex;
    return this;
  }

  @Override
  public ByteBuf resetReaderIndex() {
    return readerIndex(markedReaderIndex);
  }

  @Override
  public ByteBuf markWriterIndex() {
    markedWriterIndex = writerIndex;
    return this;
  }

  @Override
  public ByteBuf resetWriterIndex() {
    return writerIndex(markedWriterIndex);
  }

  @Override
  public ByteBuf discardReadBytes() {
    refuseReadOnly();
    ensureAccessible();
    if (readerIndex > 0) {
      discard();
    }
    return this;
  }

  @Override
  public ByteBuf discardSomeReadBytes() {
    ensureAccessible();
    if (readerIndex > 0 && (readerIndex == writerIndex || readerIndex >= capacity() >>> 1)) {
      discard();
    }
    return this;
  }

  private void discard() {
    int discarded = readerIndex;
    int kept = writerIndex - discarded;
    if (kept > 0) {
      setBytes(0, this, discarded, kept);
    }
    adjustMarkers(discarded);
    readerIndex = 0;
    writerIndex = kept;
  }

  /** Moves both marks down, to 0 at the lowest. */
  protected final void adjustMarkers(int decrement) {
    markedReaderIndex = Math.max(0, markedReaderIndex - decrement);
    markedWriterIndex = Math.max(0, markedWriterIndex - decrement);
  }

  @Override
  public ByteBuf ensureWritable(int minWritableBytes) {
    if (minWritableBytes < 0) {
      throw AccessFailures.negative("minWritableBytes", minWritableBytes);
    }
    if (writerIndex > writableCapacity() - minWritableBytes) {
      refuseReadOnly();
      growSlow(minWritableBytes);
    }
    return this;
  }

  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    if (isReadOnly()) {
      return 1;
    }
    ensureAccessible();
    if (minWritableBytes < 0) {
      throw AccessFailures.negative("minWritableBytes", minWritableBytes);
    }
    if (writerIndex <= writableCapacity() - minWritableBytes) {
      return 0;
    }
    if (minWritableBytes <= writableBytes()) {
      return 1; // the root of a view has shrunk
    }
    if (minWritableBytes <= maxCapacity() - writerIndex) {
      capacity(grownCapacity(minWritableBytes));
      return 2;
    }
    if (!force || capacity() == maxCapacity()) {
      return 1;
    }
    capacity(maxCapacity());
    return 3;
  }

  // Numbers

  @Override
  public byte getByte(int index) {
    checkRead(index, 1);
    return _getByte(index);
  }

  @Override
  public short getShort(int index) {
    checkRead(index, 2);
    return _getShort(index);
  }

  @Override
  public short getShortLE(int index) {
    checkRead(index, 2);
    return _getShortLE(index);
  }

  @Override
  public int getUnsignedMedium(int index) {
    checkRead(index, 3);
    return _getUnsignedMedium(index);
  }

  @Override
  public int getUnsignedMediumLE(int index) {
    checkRead(index, 3);
    return _getUnsignedMediumLE(index);
  }

  @Override
  public int getInt(int index) {
    checkRead(index, 4);
    return _getInt(index);
  }

  @Override
  public int getIntLE(int index) {
    checkRead(index, 4);
    return _getIntLE(index);
  }

  @Override
  public long getLong(int index) {
    checkRead(index, 8);
    return _getLong(index);
  }

  @Override
  public long getLongLE(int index) {
    checkRead(index, 8);
    return _getLongLE(index);
  }

  @Override
  public ByteBuf setByte(int index, int value) {
    checkSet(index, 1);
    _setByte(index, value);
    return this;
  }

  @Override
  public ByteBuf setShort(int index, int value) {
    checkSet(index, 2);
    _setShort(index, value);
    return this;
  }

  @Override
  public ByteBuf setShortLE(int index, int value) {
    checkSet(index, 2);
    _setShortLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setMedium(int index, int value) {
    checkSet(index, 3);
    _setMedium(index, value);
    return this;
  }

  @Override
  public ByteBuf setMediumLE(int index, int value) {
    checkSet(index, 3);
    _setMediumLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setInt(int index, int value) {
    checkSet(index, 4);
    _setInt(index, value);
    return this;
  }

  @Override
  public ByteBuf setIntLE(int index, int value) {
    checkSet(index, 4);
    _setIntLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setLong(int index, long value) {
    checkSet(index, 8);
    _setLong(index, value);
    return this;
  }

  @Override
  public ByteBuf setLongLE(int index, long value) {
    checkSet(index, 8);
    _setLongLE(index, value);
    return this;
  }

  @Override
  public byte readByte() {
    return _getByte(takeReadable(1));
  }

  @Override
  public short readShort() {
    return _getShort(takeReadable(2));
  }

  @Override
  public short readShortLE() {
    return _getShortLE(takeReadable(2));
  }

  @Override
  public int readUnsignedMedium() {
    return _getUnsignedMedium(takeReadable(3));
  }

  @Override
  public int readUnsignedMediumLE() {
    return _getUnsignedMediumLE(takeReadable(3));
  }

  @Override
  public int readInt() {
    return _getInt(takeReadable(4));
  }

  @Override
  public int readIntLE() {
    return _getIntLE(takeReadable(4));
  }

  @Override
  public long readLong() {
    return _getLong(takeReadable(8));
  }

  @Override
  public long readLongLE() {
    return _getLongLE(takeReadable(8));
  }

  @Override
  public ByteBuf writeByte(int value) {
    _setByte(takeWritable(1), value);
    return this;
  }

  @Override
  public ByteBuf writeShort(int value) {
    _setShort(takeWritable(2), value);
    return this;
  }

  @Override
  public ByteBuf writeShortLE(int value) {
    _setShortLE(takeWritable(2), value);
    return this;
  }

  @Override
  public ByteBuf writeMedium(int value) {
    _setMedium(takeWritable(3), value);
    return this;
  }

  @Override
  public ByteBuf writeMediumLE(int value) {
    _setMediumLE(takeWritable(3), value);
    return this;
  }

  @Override
  public ByteBuf writeInt(int value) {
    _setInt(takeWritable(4), value);
    return this;
  }

  @Override
  public ByteBuf writeIntLE(int value) {
    _setIntLE(takeWritable(4), value);
    return this;
  }

  @Override
  public ByteBuf writeLong(long value) {
    _setLong(takeWritable(8), value);
    return this;
  }

  @Override
  public ByteBuf writeLongLE(long value) {
    _setLongLE(takeWritable(8), value);
    return this;
  }

  // Bytes in bulk

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    check(index, length);
    if (dst instanceof AbstractByteBuf target) {
      target.checkWrite(dstIndex, length);
      copyTo(index, target, dstIndex, length);
    } else {
      Transfers.give(this, index, dst, dstIndex, length);
    }
    return this;
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
    if (src instanceof AbstractByteBuf source) {
      source.check(srcIndex, length);
      source.copyTo(srcIndex, this, index, length);
    } else {
      Transfers.take(this, index, src, srcIndex, length);
    }
    return this;
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
    return Text.set(this, index, sequence, charset);
  }

  @Override
  public ByteBuf readBytes(int length) {
    checkReadableBytes(length);
    if (length == 0) {
      return Unpooled.EMPTY_BUFFER;
    }
    ByteBuf read = copied(alloc().buffer(length, maxCapacity()), readerIndex, length);
    readerIndex += length;
    return read;
  }

  /** Writes a range to a new buffer, which is released if that fails. */
  final ByteBuf copied(ByteBuf empty, int index, int length) {
    return Unpooled.filled(empty, copy -> copy.writeBytes(this, index, length));
  }

  @Override
  public ByteBuf readSlice(int length) {
    checkReadableBytes(length);
    ByteBuf read = slice(readerIndex, length);
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    checkReadableBytes(length);
    ByteBuf read = retainedSlice(readerIndex, length);
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
    checkReadableBytes(length);
    if (dst instanceof AbstractByteBuf target) {
      target.checkWrite(dstIndex, length);
      copyTo(readerIndex, target, dstIndex, length);
    } else {
      Transfers.give(this, readerIndex, dst, dstIndex, length);
    }
    readerIndex += length;
    return this;
  }

  @Override
  public ByteBuf readBytes(byte[] dst, int dstIndex, int length) {
    checkDstIndex(length, dstIndex, dst.length);
    copyOut(readerIndex, dst, MemoryAccess.BYTE_ARRAY_OFFSET + dstIndex, length);
    readerIndex += length;
    return this;
  }

  @Override
  public ByteBuf readBytes(ByteBuffer dst) {
    int position = dst.position();
    int length = dst.remaining();
    checkReadableBytes(length);
    Transfers.copyTo(this, readerIndex, dst, position, length);
    readerIndex += length;
    return this;
  }

  @Override
  public ByteBuf readBytes(OutputStream out, int length) throws IOException {
    checkReadableBytes(length);
    Transfers.write(this, readerIndex, out, length);
    readerIndex += length;
    return this;
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    checkReadableBytes(length);
    int taken = Transfers.write(this, readerIndex, out, length);
    return gave(taken);
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    checkReadableBytes(length);
    int taken = Transfers.write(this, readerIndex, out, position, length);
    return gave(taken);
  }

  @Override
  public CharSequence readCharSequence(int length, Charset charset) {
    checkReadableBytes(length);
    CharSequence read = getCharSequence(readerIndex, length, charset);
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
    ensureWritable(length);
    if (src instanceof AbstractByteBuf source) {
      source.check(srcIndex, length);
      source.copyTo(srcIndex, this, writerIndex, length);
    } else {
      Transfers.take(this, writerIndex, src, srcIndex, length);
    }
    writerIndex += length;
    return this;
  }

  @Override
  public ByteBuf writeBytes(byte[] src, int srcIndex, int length) {
    ensureWritable(length);
    checkOther("srcIndex", srcIndex, length, src.length);
    copyIn(writerIndex, src, MemoryAccess.BYTE_ARRAY_OFFSET + srcIndex, length);
    writerIndex += length;
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuffer src) {
    int position = src.position();
    int length = src.remaining();
    makeRoom(length);
    Transfers.copyFrom(this, writerIndex, src, position, length);
    writerIndex += length;
    return this;
  }

  @Override
  public int writeBytes(InputStream in, int length) throws IOException {
    ensureWritable(length);
    return wrote(Transfers.read(this, writerIndex, in, length));
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
    ensureWritable(length);
    return wrote(Transfers.read(this, writerIndex, in, length));
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) throws IOException {
    ensureWritable(length);
    return wrote(Transfers.read(this, writerIndex, in, position, length));
  }

  /** What a stream or a channel says that it gave may be anything. */
  private int wrote(int written) {
    if (written > 0) {
      checkIndices(readerIndex, writerIndex + written);
      writerIndex += written;
    }
    return written;
  }

  /** As {@link #wrote}, of what a channel says that it took. */
  private int gave(int taken) {
    checkIndices(readerIndex + taken, writerIndex);
    readerIndex += taken;
    return taken;
  }

  final int advanceWriter(int written) {
    writerIndex += Math.max(0, written);
    return written;
  }

  @Override
  public ByteBuf writeZero(int length) {
    ensureWritable(length);
    fillZero(writerIndex, length);
    writerIndex += length;
    return this;
  }

  @Override
  public int writeCharSequence(CharSequence sequence, Charset charset) {
    return Text.write(this, sequence, charset);
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
    checkReadableBytes(length);
    return bytesBefore(readerIndex, length, value);
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
    return Text.decode(this, index, length, charset);
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

  @Override
  public String toString() {
    String name = getClass().getSimpleName();
    if (refCnt() == 0) {
      return name + "(freed)";
    }
    String maximum = maxCapacity == Integer.MAX_VALUE ? "" : "/" + maxCapacity;
    ByteBuf unwrapped = unwrap();
    return name
        + "(ridx: "
        + readerIndex
        + ", widx: "
        + writerIndex
        + ", cap: "
        + capacity()
        + maximum
        + (unwrapped == null ? "" : ", unwrapped: " + unwrapped)
        + ")";
  }
}
