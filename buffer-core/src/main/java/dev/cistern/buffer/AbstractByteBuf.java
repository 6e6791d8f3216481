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
 * Base class of buffers with the indices, marks and checks: the methods of {@link ByteBuf} that do
 * not depend on the place of the bytes. A subclass reads and writes bytes in the methods that begin
 * with an underscore; these are called after the checks. Each operation makes one check, which
 * calls {@link #liveCapacity} or {@link #writableCapacity} once: a composite records its accesses
 * there.
 */
public abstract class AbstractByteBuf extends ByteBuf {
  int readerIndex;
  int writerIndex;
  private int markedReaderIndex;
  private int markedWriterIndex;
  private int maxCapacity;

  /**
   * @param maxCapacity the maximum capacity in bytes
   * @throws IllegalArgumentException if negative
   */
  protected AbstractByteBuf(int maxCapacity) {
    if (maxCapacity < 0) {
      throw new IllegalArgumentException("maxCapacity: " + maxCapacity + " (expected: >= 0)");
    }
    this.maxCapacity = maxCapacity;
  }

  /**
   * Returns the capacity, or -1 after the last release, so that one comparison finds both a
   * released buffer and an index out of bounds. The right side of that comparison does not change
   * in a loop.
   */
  int liveCapacity() {
    return !CHECK_ACCESSIBLE || refCnt() > 0 ? capacity() : -1;
  }

  /** Returns {@link #liveCapacity}, or -1 for a buffer that refuses all writes. */
  int writableCapacity() {
    return isReadOnly() ? -1 : liveCapacity();
  }

  /**
   * Sets indices and marks to 0. Compares first, because the compare-and-set of the release waits
   * for every store before it.
   */
  final void resetIndices(int newMaxCapacity) {
    int differing = newMaxCapacity ^ maxCapacity;
    if ((readerIndex | writerIndex | markedReaderIndex | markedWriterIndex | differing) != 0) {
      readerIndex = 0;
      writerIndex = 0;
      markedReaderIndex = 0;
      markedWriterIndex = 0;
      maxCapacity = newMaxCapacity;
    }
  }

  // Checks. The failure paths are separate methods, so that the compiler inlines the checks.

  /** Fails if the buffer is released, or if the range is not inside its capacity. */
  final void check(int index, int length) {
    if (CHECK_BOUNDS) {
      if ((index | length) < 0 || index > liveCapacity() - length) {
        throw AccessFailures.access(this, index, length);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** Fails as {@link #check} does, and also if the buffer refuses writes. */
  final void checkWrite(int index, int length) {
    if (CHECK_BOUNDS) {
      if ((index | length) < 0 || index > writableCapacity() - length) {
        throw AccessFailures.write(this, index, length);
      }
    } else if (writableCapacity() < 0 && (CHECK_ACCESSIBLE || isReadOnly())) {
      throw AccessFailures.write(this, index, length);
    }
  }

  /** Returns {@link #writableCapacity}, as a step of an operation that has been checked. */
  int writableAgain() {
    return writableCapacity();
  }

  /**
   * Fails as {@link #check} or {@link #checkWrite} do, as a step of an operation that has been
   * checked.
   */
  void checkAgain(int index, int length, boolean writes) {
    if (writes) {
      checkWrite(index, length);
    } else {
      check(index, length);
    }
  }

  /**
   * Fails as {@link #check} does, for the constant width of a number. In a loop over increasing
   * indices, the compiler drops the first comparison, and makes the second one before the loop.
   */
  final void checkRead(int index, int width) {
    if (CHECK_BOUNDS) {
      if (index < 0 || index > liveCapacity() - width) {
        throw AccessFailures.access(this, index, width);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
  }

  /** Fails as {@link #checkWrite} does, for the constant width of a number. */
  final void checkSet(int index, int width) {
    if (CHECK_BOUNDS) {
      if (index < 0 || index > writableCapacity() - width) {
        throw AccessFailures.write(this, index, width);
      }
    } else {
      checkWrite(index, width);
    }
  }

  /**
   * Fails unless {@code length} bytes can be read. Returns the reader index that it checked,
   * because another thread may move the index.
   */
  final int readable(int length) {
    int index = readerIndex;
    if (CHECK_BOUNDS) {
      // The last comparison fails for a released buffer, and for a view whose root has shrunk.
      if (length < 0 || index > writerIndex - length || index > liveCapacity() - length) {
        throw AccessFailures.read(this, length);
      }
    } else if (CHECK_ACCESSIBLE) {
      ensureAccessible();
    }
    return index;
  }

  /** Fails unless {@code minimumReadableBytes} can be read. */
  protected final void checkReadableBytes(int minimumReadableBytes) {
    readable(minimumReadableBytes);
  }

  /**
   * Grows the buffer if {@code length} bytes do not fit. Returns the writer index that it checked,
   * because another thread may move the index.
   */
  final int makeRoom(int length) {
    int index = writerIndex;
    if (index > writableCapacity() - length) {
      growSlow(index, length);
    }
    return index;
  }

  /**
   * Ensures room as {@link #ensureWritable(int)} does, which a subclass may override. Returns the
   * writer index that it checked.
   */
  final int room(int minWritableBytes) {
    if (minWritableBytes < 0) {
      throw AccessFailures.negative("minWritableBytes", minWritableBytes);
    }
    int index = writerIndex;
    if (index > writableCapacity() - minWritableBytes) {
      refuseReadOnly();
      growSlow(index, minWritableBytes);
    }
    return index;
  }

  private void growSlow(int index, int length) {
    refuseReleased();
    long end = (long) index + length;
    // A read-only buffer, or a view whose root has shrunk, gets here although the bytes would fit.
    if (isReadOnly() || end > maxCapacity || end <= capacity()) {
      throw AccessFailures.growth(this, length);
    }
    grow(grownCapacity(index, length));
    refuseReleased(); // the allocator may have released this buffer
    if (end > writableAgain()) { // a subclass may not have grown
      throw AccessFailures.growth(this, length);
    }
  }

  /** Changes the capacity as a step of another operation. */
  void grow(int newCapacity) {
    capacity(newCapacity);
  }

  /** Fails as {@link #ensureAccessible} does, without a record of an access. */
  final void refuseReleased() {
    if (CHECK_ACCESSIBLE && refCnt() == 0) {
      throw new IllegalReferenceCountException(0);
    }
  }

  private int grownCapacity(int index, int length) {
    int fast = maxFastWritableBytes();
    int grown =
        fast >= length
            ? (int) Math.min((long) index + fast, maxCapacity)
            : alloc().calculateNewCapacity(index + length, maxCapacity);
    if (grown < index + length || grown > maxCapacity) { // by code of a subclass
      throw AccessFailures.growth(this, length);
    }
    return grown;
  }

  final void refuseReadOnly() {
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

  /** Fails unless the byte at {@code index} can be accessed. */
  protected final void checkIndex(int index) {
    check(index, 1);
  }

  /** Fails unless {@code fieldLength} bytes from {@code index} on can be accessed. */
  protected final void checkIndex(int index, int fieldLength) {
    check(index, fieldLength);
  }

  /** Fails as {@link #checkIndex(int, int)} does, and also checks the range of a source. */
  protected final void checkSrcIndex(int index, int length, int srcIndex, int srcCapacity) {
    check(index, length);
    checkOther("srcIndex", srcIndex, length, srcCapacity);
  }

  /** Fails as {@link #checkIndex(int, int)} does, and also checks the range of a target. */
  protected final void checkDstIndex(int index, int length, int dstIndex, int dstCapacity) {
    check(index, length);
    checkOther("dstIndex", dstIndex, length, dstCapacity);
  }

  /** Fails unless {@code length} bytes can be read, and fit into the range of a target. */
  protected final void checkDstIndex(int length, int dstIndex, int dstCapacity) {
    checkReadableBytes(length);
    checkOther("dstIndex", dstIndex, length, dstCapacity);
  }

  static void checkOther(String name, int index, int length, int capacity) {
    if (CHECK_BOUNDS && (index | length | (index + length) | (capacity - (index + length))) < 0) {
      throw AccessFailures.other(name, index, length, capacity);
    }
  }

  /** Fails if the buffer is released, or if the capacity is above the maximum. */
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

  // Indices

  @Override
  public boolean isReadOnly() {
    return false;
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

  /** Moves indices that are above a new capacity down to it. */
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
  public boolean isReadable() {
    return writerIndex > readerIndex;
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
    discard(readerIndex);
    return this;
  }

  @Override
  public ByteBuf discardSomeReadBytes() {
    boolean isWorthIt = readerIndex == writerIndex || readerIndex >= capacity() >>> 1;
    discard(isWorthIt ? readerIndex : 0);
    return this;
  }

  private void discard(int discarded) {
    if (discarded == 0) {
      ensureAccessible();
      return;
    }
    int kept = Math.max(0, writerIndex - discarded); // another thread may move it
    if (kept > 0) {
      checkWrite(discarded, kept);
      copyTo(discarded, this, 0, kept);
    } else {
      ensureAccessible();
    }
    adjustMarkers(discarded);
    readerIndex = 0;
    writerIndex = kept;
  }

  /** Moves both marks down, to 0 or more. */
  protected final void adjustMarkers(int decrement) {
    markedReaderIndex = Math.max(0, markedReaderIndex - decrement);
    markedWriterIndex = Math.max(0, markedWriterIndex - decrement);
  }

  @Override
  public ByteBuf ensureWritable(int minWritableBytes) {
    room(minWritableBytes);
    return this;
  }

  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    int writable = writableCapacity();
    if (writable < 0) {
      refuseReleased();
    }
    if (minWritableBytes < 0) {
      throw AccessFailures.negative("minWritableBytes", minWritableBytes);
    }
    if (isReadOnly()) {
      return 1;
    }
    if (writerIndex <= writable - minWritableBytes) {
      return 0;
    }
    if (minWritableBytes <= writableBytes()) {
      return 1; // the root of a view has shrunk
    }
    if (minWritableBytes <= maxCapacity() - writerIndex) {
      grow(grownCapacity(writerIndex, minWritableBytes));
      return 2;
    }
    if (!force || capacity() == maxCapacity()) {
      return 1;
    }
    grow(maxCapacity());
    return 3;
  }

  /** Moves the writer index by the number that a stream or channel returned, after a check. */
  final int advanceWriter(int written) {
    if (written > 0) {
      checkIndices(readerIndex, writerIndex + written);
      writerIndex += written;
    }
    return written;
  }

  /** Moves the reader index by the number that a channel returned, after a check. */
  final int advanceReader(int taken) {
    checkIndices(readerIndex + taken, writerIndex);
    readerIndex += taken;
    return taken;
  }

  @Override
  public String toString() {
    String name = getClass().getSimpleName();
    if (refCnt() == 0) {
      return name + "(freed)";
    }
    String maximum = maxCapacity == Integer.MAX_VALUE ? "" : "/" + maxCapacity;
    ByteBuf unwrapped = unwrap();
    String below = unwrapped == null ? "" : ", unwrapped: " + unwrapped;
    return "%s(ridx: %s, widx: %s, cap: %s%s%s)"
        .formatted(name, readerIndex, writerIndex, capacity(), maximum, below);
  }

  // Numbers: the engine reads and writes them big endian, without any check

  /** Returns a byte at a checked index. */
  protected abstract byte _getByte(int index);

  /** Returns a 16-bit integer at a checked index. */
  protected abstract short _getShort(int index);

  /** Returns an unsigned 24-bit integer at a checked index. */
  protected abstract int _getUnsignedMedium(int index);

  /** Returns a 32-bit integer at a checked index. */
  protected abstract int _getInt(int index);

  /** Returns a 64-bit integer at a checked index. */
  protected abstract long _getLong(int index);

  /** Writes the low 8 bits of {@code value} at a checked index. */
  protected abstract void _setByte(int index, int value);

  /** Writes the low 16 bits of {@code value} at a checked index. */
  protected abstract void _setShort(int index, int value);

  /** Writes the low 24 bits of {@code value} at a checked index. */
  protected abstract void _setMedium(int index, int value);

  /** Writes {@code value} at a checked index. */
  protected abstract void _setInt(int index, int value);

  /** Writes {@code value} at a checked index. */
  protected abstract void _setLong(int index, long value);

  /**
   * Copies bytes from a checked range to one of an array. All operations on several bytes call this
   * method. The default implementation calls {@link #_getByte} for each byte.
   *
   * @param index the first byte in this buffer
   * @param dst the array
   * @param dstIndex the first index in the array
   * @param length the number of bytes, 0 or more
   */
  protected void _getBytes(int index, byte[] dst, int dstIndex, int length) {
    for (int i = 0; i < length; i++) {
      dst[dstIndex + i] = _getByte(index + i);
    }
  }

  /**
   * Copies bytes from a range of an array to a checked one of this buffer. All operations on
   * several bytes call this method. The default implementation calls {@link #_setByte} for each.
   *
   * @param index the first byte in this buffer
   * @param src the array
   * @param srcIndex the first index in the array
   * @param length the number of bytes, 0 or more
   */
  protected void _setBytes(int index, byte[] src, int srcIndex, int length) {
    for (int i = 0; i < length; i++) {
      _setByte(index + i, src[srcIndex + i]);
    }
  }

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
  public int getUnsignedMedium(int index) {
    checkRead(index, 3);
    return _getUnsignedMedium(index);
  }

  @Override
  public int getInt(int index) {
    checkRead(index, 4);
    return _getInt(index);
  }

  @Override
  public long getLong(int index) {
    checkRead(index, 8);
    return _getLong(index);
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
  public ByteBuf setMedium(int index, int value) {
    checkSet(index, 3);
    _setMedium(index, value);
    return this;
  }

  @Override
  public ByteBuf setInt(int index, int value) {
    checkSet(index, 4);
    _setInt(index, value);
    return this;
  }

  @Override
  public ByteBuf setLong(int index, long value) {
    checkSet(index, 8);
    _setLong(index, value);
    return this;
  }

  // The index moves last: a component of a composite may refuse the access.

  @Override
  public byte readByte() {
    int index = readable(1);
    byte value = _getByte(index);
    readerIndex = index + 1;
    return value;
  }

  @Override
  public short readShort() {
    int index = readable(2);
    short value = _getShort(index);
    readerIndex = index + 2;
    return value;
  }

  @Override
  public int readUnsignedMedium() {
    int index = readable(3);
    int value = _getUnsignedMedium(index);
    readerIndex = index + 3;
    return value;
  }

  @Override
  public int readInt() {
    int index = readable(4);
    int value = _getInt(index);
    readerIndex = index + 4;
    return value;
  }

  @Override
  public long readLong() {
    int index = readable(8);
    long value = _getLong(index);
    readerIndex = index + 8;
    return value;
  }

  @Override
  public ByteBuf writeByte(int value) {
    int index = makeRoom(1);
    _setByte(index, value);
    writerIndex = index + 1;
    return this;
  }

  @Override
  public ByteBuf writeShort(int value) {
    int index = makeRoom(2);
    _setShort(index, value);
    writerIndex = index + 2;
    return this;
  }

  @Override
  public ByteBuf writeMedium(int value) {
    int index = makeRoom(3);
    _setMedium(index, value);
    writerIndex = index + 3;
    return this;
  }

  @Override
  public ByteBuf writeInt(int value) {
    int index = makeRoom(4);
    _setInt(index, value);
    writerIndex = index + 4;
    return this;
  }

  @Override
  public ByteBuf writeLong(long value) {
    int index = makeRoom(8);
    _setLong(index, value);
    writerIndex = index + 8;
    return this;
  }

  // Little-endian numbers: by default the same, reversed

  /** Returns the little-endian number at a checked index. */
  protected short _getShortLE(int index) {
    return Short.reverseBytes(_getShort(index));
  }

  /** Returns the little-endian number at a checked index. */
  protected int _getUnsignedMediumLE(int index) {
    return Integer.reverseBytes(_getUnsignedMedium(index)) >>> 8;
  }

  /** Returns the little-endian number at a checked index. */
  protected int _getIntLE(int index) {
    return Integer.reverseBytes(_getInt(index));
  }

  /** Returns the little-endian number at a checked index. */
  protected long _getLongLE(int index) {
    return Long.reverseBytes(_getLong(index));
  }

  /** Writes a little-endian number at a checked index. */
  protected void _setShortLE(int index, int value) {
    _setShort(index, Short.reverseBytes((short) value));
  }

  /** Writes a little-endian number at a checked index. */
  protected void _setMediumLE(int index, int value) {
    _setMedium(index, Integer.reverseBytes(value) >>> 8);
  }

  /** Writes a little-endian number at a checked index. */
  protected void _setIntLE(int index, int value) {
    _setInt(index, Integer.reverseBytes(value));
  }

  /** Writes a little-endian number at a checked index. */
  protected void _setLongLE(int index, long value) {
    _setLong(index, Long.reverseBytes(value));
  }

  @Override
  public short getShortLE(int index) {
    checkRead(index, 2);
    return _getShortLE(index);
  }

  @Override
  public int getUnsignedMediumLE(int index) {
    checkRead(index, 3);
    return _getUnsignedMediumLE(index);
  }

  @Override
  public int getIntLE(int index) {
    checkRead(index, 4);
    return _getIntLE(index);
  }

  @Override
  public long getLongLE(int index) {
    checkRead(index, 8);
    return _getLongLE(index);
  }

  @Override
  public ByteBuf setShortLE(int index, int value) {
    checkSet(index, 2);
    _setShortLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setMediumLE(int index, int value) {
    checkSet(index, 3);
    _setMediumLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setIntLE(int index, int value) {
    checkSet(index, 4);
    _setIntLE(index, value);
    return this;
  }

  @Override
  public ByteBuf setLongLE(int index, long value) {
    checkSet(index, 8);
    _setLongLE(index, value);
    return this;
  }

  @Override
  public short readShortLE() {
    int index = readable(2);
    short value = _getShortLE(index);
    readerIndex = index + 2;
    return value;
  }

  @Override
  public int readUnsignedMediumLE() {
    int index = readable(3);
    int value = _getUnsignedMediumLE(index);
    readerIndex = index + 3;
    return value;
  }

  @Override
  public int readIntLE() {
    int index = readable(4);
    int value = _getIntLE(index);
    readerIndex = index + 4;
    return value;
  }

  @Override
  public long readLongLE() {
    int index = readable(8);
    long value = _getLongLE(index);
    readerIndex = index + 8;
    return value;
  }

  @Override
  public ByteBuf writeShortLE(int value) {
    int index = makeRoom(2);
    _setShortLE(index, value);
    writerIndex = index + 2;
    return this;
  }

  @Override
  public ByteBuf writeMediumLE(int value) {
    int index = makeRoom(3);
    _setMediumLE(index, value);
    writerIndex = index + 3;
    return this;
  }

  @Override
  public ByteBuf writeIntLE(int value) {
    int index = makeRoom(4);
    _setIntLE(index, value);
    writerIndex = index + 4;
    return this;
  }

  @Override
  public ByteBuf writeLongLE(long value) {
    int index = makeRoom(8);
    _setLongLE(index, value);
    writerIndex = index + 8;
    return this;
  }

  // Memory

  /** Returns the buffer whose one piece of memory holds the bytes, or null. */
  @Nullable MemoryByteBuf memory() {
    return null;
  }

  /** Returns the index in {@link #memory} of this buffer's index 0. */
  int memoryOffset() {
    return 0;
  }

  /**
   * Returns {@link #nioBuffers} of a range, as a step of an operation that has checked the range.
   */
  ByteBuffer[] parts(int index, int length) {
    return nioBuffers(index, length);
  }

  /** Fails if a component would refuse its part of a valid range. */
  void checkParts(int index, int length, boolean writes) {}

  /** Copies to memory at {@code base} and {@code address}. */
  void copyOut(int index, byte @Nullable [] base, long address, int length) {
    if (base != null) {
      _getBytes(index, base, (int) (address - MemoryAccess.BYTE_ARRAY_OFFSET), length);
      return;
    }
    byte[] bytes = new byte[length];
    _getBytes(index, bytes, 0, length);
    MemoryAccess.copy(bytes, MemoryAccess.BYTE_ARRAY_OFFSET, null, address, length);
  }

  /** Copies from memory at {@code base} and {@code address}. */
  void copyIn(int index, byte @Nullable [] base, long address, int length) {
    if (base != null) {
      _setBytes(index, base, (int) (address - MemoryAccess.BYTE_ARRAY_OFFSET), length);
      return;
    }
    byte[] bytes = new byte[length];
    MemoryAccess.copy(null, address, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
    _setBytes(index, bytes, 0, length);
  }

  /**
   * Copies to another buffer. Code of a subclass runs in between, and may release or change either
   * buffer, so both are checked again.
   */
  void copyTo(int index, AbstractByteBuf target, int targetIndex, int length) {
    checkAgain(index, length, false);
    byte[] bytes = new byte[length];
    copyOut(index, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
    target.checkAgain(targetIndex, length, true);
    target.copyIn(targetIndex, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
  }

  /** Copies from the memory of a buffer, which {@link #_setBytes} of a subclass may release. */
  void copyFrom(int index, MemoryByteBuf source, int sourceIndex, int length) {
    byte[] bytes = new byte[length];
    source.getBytes(sourceIndex, bytes);
    _setBytes(index, bytes, 0, length);
  }

  /** Sets bytes to 0. */
  void fillZero(int index, int length) {
    _setBytes(index, new byte[length], 0, length);
  }

  /**
   * Returns the index at which {@code processor} stopped, from {@code start} to {@code end}
   * exclusive, or -1.
   */
  int forEachByteAsc0(int start, int end, ByteProcessor processor) throws Exception {
    for (int i = start; i < end; i++) {
      if (!processor.process(_getByte(i))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the index at which {@code processor} stopped, from {@code rStart} down to {@code rEnd},
   * or -1.
   */
  int forEachByteDesc0(int rStart, int rEnd, ByteProcessor processor) throws Exception {
    for (int i = rStart; i >= rEnd; i--) {
      if (!processor.process(_getByte(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the first index of {@code value} from {@code from} to {@code to} exclusive, or -1. */
  int firstIndexOf(int from, int to, byte value) {
    return ascending(from, to, new ByteProcessor.IndexOfProcessor(value));
  }

  /** Returns the last index of {@code value} from {@code from} to {@code to} exclusive, or -1. */
  int lastIndexOf(int from, int to, byte value) {
    return descending(from, to, new ByteProcessor.IndexOfProcessor(value));
  }

  // Order

  @Deprecated
  @Override
  @SuppressWarnings("InlineMeSuggester") // a subclass may override it
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Deprecated
  @Override
  public ByteBuf order(ByteOrder endianness) {
    Objects.requireNonNull(endianness, "endianness");
    return endianness == order() ? this : newSwappedByteBuf();
  }

  @Override
  final ByteBuf bigEndian() {
    return this;
  }

  /** Returns a view of this buffer in the other byte order. */
  protected SwappedByteBuf newSwappedByteBuf() {
    return new SwappedByteBuf(this);
  }

  @Override
  public ByteBuf asReadOnly() {
    return isReadOnly() ? this : ViewByteBuf.whole(this, true);
  }

  // Bytes in bulk

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    check(index, length);
    give(index, dst, dstIndex, length);
    return this;
  }

  /** Copies a checked range to any buffer. */
  final void give(int index, ByteBuf dst, int dstIndex, int length) {
    ByteBuf bare = dst instanceof AbstractByteBuf ? dst : ForwardingByteBuf.target(dst);
    if (bare instanceof AbstractByteBuf target) {
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
    return charSequence(index, length, charset);
  }

  private CharSequence charSequence(int index, int length, Charset charset) {
    if (charset.equals(StandardCharsets.US_ASCII) || charset.equals(StandardCharsets.ISO_8859_1)) {
      byte[] bytes = new byte[length];
      copyOut(index, bytes, MemoryAccess.BYTE_ARRAY_OFFSET, length);
      return new AsciiString(bytes, false);
    }
    return length == 0 ? "" : StringTransfers.decode(this, index, length, charset);
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int length) {
    check(index, length);
    checkReadable(src, length);
    refuseReadOnly();
    int srcIndex = src.readerIndex();
    checkAgain(index, length, true); // a subclass as the source may have released this buffer
    take(index, src, srcIndex, length);
    src.readerIndex(src.readerIndex() + length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    checkWrite(index, length);
    take(index, src, srcIndex, length);
    return this;
  }

  private void take(int index, ByteBuf src, int srcIndex, int length) {
    ByteBuf bare = src instanceof AbstractByteBuf ? src : ForwardingByteBuf.target(src);
    if (bare instanceof AbstractByteBuf source) {
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

  /** Copies a checked range to a new buffer; releases the new buffer if the copy fails. */
  final ByteBuf copied(ByteBuf empty, int index, int length) {
    return Unpooled.filled(
        empty,
        copy -> {
          checkAgain(index, length, false); // the allocator may have released this buffer
          give(index, copy, 0, length);
          copy.writerIndex(length);
        });
  }

  @Override
  public ByteBuf readSlice(int length) {
    ByteBuf read = ViewByteBuf.slice(this, readable(length), length);
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf readRetainedSlice(int length) {
    ByteBuf read = retained(ViewByteBuf.slice(this, readable(length), length));
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf readBytes(ByteBuf dst, int dstIndex, int length) {
    int index = readable(length);
    give(index, dst, dstIndex, length);
    readerIndex = index + length; // not a sum: the target may have moved the index
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
    readerIndex = index + length; // not a sum: the stream may have moved the index
    return this;
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    return advanceReader(Transfers.write(this, readable(length), out, length));
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    return advanceReader(Transfers.write(this, readable(length), out, position, length));
  }

  @Override
  public CharSequence readCharSequence(int length, Charset charset) {
    CharSequence read = charSequence(readable(length), length, charset);
    readerIndex += length;
    return read;
  }

  @Override
  public ByteBuf skipBytes(int length) {
    readerIndex = readable(length) + length;
    return this;
  }

  @Override
  public ByteBuf writeBytes(ByteBuf src, int srcIndex, int length) {
    int index = room(length);
    take(index, src, srcIndex, length);
    writerIndex = index + length; // not a sum: the source may have moved the index
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
    return advanceWriter(Transfers.read(this, room(length), in, length));
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
    return advanceWriter(Transfers.read(this, room(length), in, length));
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) throws IOException {
    return advanceWriter(Transfers.read(this, room(length), in, position, length));
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
    int index = readable(length);
    int found = firstIndexOf(index, index + length, value);
    return found < 0 ? -1 : found - index;
  }

  @Override
  public int forEachByte(int index, int length, ByteProcessor processor) {
    check(index, length);
    return ascending(index, index + length, processor);
  }

  @Override
  public int forEachByteDesc(int index, int length, ByteProcessor processor) {
    check(index, length);
    return descending(index, index + length, processor);
  }

  private int ascending(int from, int to, ByteProcessor processor) {
    try {
      return forEachByteAsc0(from, to, processor);
    } catch (Exception thrown) {
      throw AbstractByteBuf.<RuntimeException>rethrow(thrown);
    }
  }

  private int descending(int from, int to, ByteProcessor processor) {
    try {
      return forEachByteDesc0(to - 1, from, processor);
    } catch (Exception thrown) {
      throw AbstractByteBuf.<RuntimeException>rethrow(thrown);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a processor's own exception
  private static <E extends Exception> E rethrow(Exception thrown) throws E {
    throw (E) thrown;
  }

  // Copies and views

  @Override
  public ByteBuf slice(int index, int length) {
    check(index, length);
    return ViewByteBuf.slice(this, index, length);
  }

  @Override
  public ByteBuf retainedSlice(int index, int length) {
    return retained(slice(index, length));
  }

  /**
   * Retains this buffer as a step of another operation. Returns {@code view}, a view of this
   * buffer.
   */
  ByteBuf retained(ByteBuf view) {
    retain();
    return view;
  }

  @Override
  public ByteBuf duplicate() {
    return ViewByteBuf.whole(this, false);
  }

  @Override
  public ByteBuf retainedDuplicate() {
    return retained(duplicate());
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
}
