/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.Checks.CHECK_BOUNDS;

import dev.cistern.util.ByteProcessor;
import dev.cistern.util.ReferenceCounted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of bytes with a reader index and a writer index.
 *
 * <p><b>Indices.</b> {@code 0 <= readerIndex <= writerIndex <= capacity <= maxCapacity}. The bytes
 * from the reader index to before the writer index are <i>readable</i>; those from the writer index
 * to before the capacity are <i>writable</i>. Methods named {@code get} and {@code set} take an
 * absolute index and move no index of this buffer. Methods named {@code read}, {@code skip} and
 * {@code write} start at the reader or writer index and move it. A {@code write} past the capacity
 * makes the buffer grow, up to its maximum capacity; {@code set} does not. All indices and lengths
 * are in bytes.
 *
 * <p><b>Byte order.</b> Numbers of more than one byte are big endian. Methods whose names end in
 * {@code LE} are little endian.
 *
 * <p><b>Ownership.</b> A new buffer has a reference count of 1. Each reference is released exactly
 * once, by {@link #release()}; the last release frees the memory or returns it to its pool. {@link
 * #slice}, {@link #duplicate}, {@link #readSlice}, {@link #order} and {@link #asReadOnly} return
 * views that share the memory and add no reference. {@link #retainedSlice}, {@link
 * #retainedDuplicate} and {@link #readRetainedSlice} add one, which the caller releases through the
 * view. {@link #copy} and {@link #readBytes(int)} return a new buffer, which the caller releases.
 *
 * <p><b>Released buffers.</b> After the last release, every access to the bytes throws {@link
 * dev.cistern.util.IllegalReferenceCountException}. Indices, capacities, kind and {@link
 * #toString()} stay available, but their values have no meaning. A pool may assign the memory and
 * the buffer object to a new allocation, after which an old reference is indistinguishable from the
 * new owner's: do not keep references to released buffers. The checks of access and of bounds can
 * be turned off with {@code -Dcistern.buffer.checkAccessible=false} and {@code
 * -Dcistern.buffer.checkBounds=false}; a wrong access may then end the JVM.
 *
 * <p><b>Failures.</b> A method that refuses its arguments leaves the bytes and indices unchanged;
 * the capacity may have grown. Growth and new buffers throw {@link OutOfMemoryError} if there is no
 * memory, or if the limit of direct memory would be exceeded. A null argument throws {@link
 * NullPointerException}, unless the parameter is nullable.
 *
 * <p><b>Threads.</b> A buffer is not thread-safe. {@link #retain()}, {@link #release()}, {@link
 * #refCnt()} and {@link #touch()} may be called by any thread. Several threads may call {@code get}
 * methods, and create views, while none of them changes the buffer. A thread that needs indices of
 * its own uses a view.
 */
public abstract class ByteBuf implements ReferenceCounted, Comparable<ByteBuf>, ByteBufConvertible {
  /** Creates a buffer; for subclasses. */
  public ByteBuf() {}

  /**
   * Returns the number of bytes that this buffer holds without growth.
   *
   * @return the capacity in bytes, 0 or more
   */
  public abstract int capacity();

  /**
   * Changes the capacity. Bytes below both capacities keep their values; new bytes have unspecified
   * values. An index above the new capacity moves down to it. The memory may move, which
   * invalidates addresses, arrays and NIO buffers obtained before.
   *
   * @param newCapacity the capacity in bytes, 0 to {@link #maxCapacity()}
   * @return this buffer
   * @throws IllegalArgumentException if {@code newCapacity} is negative or exceeds the maximum
   *     capacity
   * @throws UnsupportedOperationException if this buffer is a slice, whose capacity is fixed
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf capacity(int newCapacity);

  /**
   * Returns the number of bytes up to which this buffer can grow.
   *
   * @return the maximum capacity in bytes, not less than the capacity
   */
  public abstract int maxCapacity();

  /**
   * Returns the allocator of this buffer. Growth and copies take their memory from it.
   *
   * @return the allocator
   */
  public abstract ByteBufAllocator alloc();

  /**
   * Returns the byte order of the methods whose names do not end in {@code LE}.
   *
   * @return the byte order
   * @deprecated use the methods whose names end in {@code LE}
   */
  @Deprecated
  public abstract ByteOrder order();

  /**
   * Returns a view of this buffer with the given byte order for the methods whose names do not end
   * in {@code LE}. The view has the same bytes, indices, marks and reference count; none of them is
   * copied. It is not retained.
   *
   * @param endianness the byte order
   * @return the view, or this buffer if it has that byte order
   * @deprecated use the methods whose names end in {@code LE}
   */
  @Deprecated
  public abstract ByteBuf order(ByteOrder endianness);

  /**
   * Returns the buffer that this buffer is a view or wrapper of. It is not retained.
   *
   * @return that buffer, or null if there is none
   */
  public abstract @Nullable ByteBuf unwrap();

  /**
   * Returns whether the bytes are in native memory, outside the Java heap.
   *
   * @return true if they are
   */
  public abstract boolean isDirect();

  /**
   * Returns whether this buffer refuses every write with a {@link
   * java.nio.ReadOnlyBufferException}.
   *
   * @return true if it does
   */
  public abstract boolean isReadOnly();

  /**
   * Returns a read-only view of this buffer. The view shares bytes and reference count, is not
   * retained, and starts with this buffer's indices; afterwards its indices are independent.
   *
   * @return the view, or this buffer if it is read-only already
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf asReadOnly();

  /**
   * Returns the index of the next byte to read.
   *
   * @return the reader index, 0 to {@link #writerIndex()}
   */
  public abstract int readerIndex();

  /**
   * Sets the reader index.
   *
   * @param readerIndex the index, 0 to {@link #writerIndex()}
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code readerIndex} is negative or exceeds the writer
   *     index
   */
  public abstract ByteBuf readerIndex(int readerIndex);

  /**
   * Returns the index of the next byte to write.
   *
   * @return the writer index, {@link #readerIndex()} to {@link #capacity()}
   */
  public abstract int writerIndex();

  /**
   * Sets the writer index.
   *
   * @param writerIndex the index, {@link #readerIndex()} to {@link #capacity()}
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code writerIndex} is less than the reader index or
   *     exceeds the capacity
   */
  public abstract ByteBuf writerIndex(int writerIndex);

  /**
   * Sets both indices at once.
   *
   * @param readerIndex the index of the next byte to read, 0 to {@code writerIndex}
   * @param writerIndex the index of the next byte to write, up to {@link #capacity()}
   * @return this buffer
   * @throws IndexOutOfBoundsException unless {@code 0 <= readerIndex <= writerIndex <= capacity}
   */
  public abstract ByteBuf setIndex(int readerIndex, int writerIndex);

  /**
   * Returns the number of bytes between the reader index and the writer index.
   *
   * @return the number of readable bytes, 0 or more
   */
  public int readableBytes() {
    return writerIndex() - readerIndex();
  }

  /**
   * Returns the number of bytes between the writer index and the capacity.
   *
   * @return the number of bytes that can be written without growth
   */
  public int writableBytes() {
    return capacity() - writerIndex();
  }

  /**
   * Returns the number of bytes between the writer index and the maximum capacity.
   *
   * @return the number of bytes that can be written, including growth
   */
  public int maxWritableBytes() {
    return maxCapacity() - writerIndex();
  }

  /**
   * Returns the number of bytes that can be written without moving the memory. It includes unused
   * memory behind the capacity, up to the maximum capacity.
   *
   * @return the number of bytes, not less than {@link #writableBytes()}
   */
  public int maxFastWritableBytes() {
    return writableBytes();
  }

  /**
   * Returns whether at least one byte is readable.
   *
   * @return true if {@link #readableBytes()} is not 0
   */
  public boolean isReadable() {
    return readableBytes() > 0;
  }

  /**
   * Returns whether at least {@code size} bytes are readable.
   *
   * @param size the number of bytes
   * @return true if so many bytes are readable
   */
  public boolean isReadable(int size) {
    return readableBytes() >= size;
  }

  /**
   * Returns whether at least one byte can be written without growth.
   *
   * @return true if this buffer is not read-only and {@link #writableBytes()} is not 0
   */
  public boolean isWritable() {
    return isWritable(1);
  }

  /**
   * Returns whether at least {@code size} bytes can be written without growth.
   *
   * @param size the number of bytes
   * @return true if this buffer is not read-only and has room for so many bytes
   */
  public abstract boolean isWritable(int size);

  /**
   * Sets both indices to 0. The bytes, the marks and the capacity do not change.
   *
   * @return this buffer
   */
  public abstract ByteBuf clear();

  /**
   * Marks the current reader index for {@link #resetReaderIndex()}. The mark is 0 in a new buffer.
   *
   * @return this buffer
   */
  public abstract ByteBuf markReaderIndex();

  /**
   * Sets the reader index to its mark.
   *
   * @return this buffer
   * @throws IndexOutOfBoundsException if the mark exceeds the writer index
   */
  public abstract ByteBuf resetReaderIndex();

  /**
   * Marks the current writer index for {@link #resetWriterIndex()}. The mark is 0 in a new buffer.
   *
   * @return this buffer
   */
  public abstract ByteBuf markWriterIndex();

  /**
   * Sets the writer index to its mark.
   *
   * @return this buffer
   * @throws IndexOutOfBoundsException if the mark is less than the reader index or exceeds the
   *     capacity
   */
  public abstract ByteBuf resetWriterIndex();

  /**
   * Discards the bytes before the reader index. The readable bytes move to index 0. Indices and
   * marks decrease by the number of discarded bytes; a mark does not fall below 0.
   *
   * @return this buffer
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf discardReadBytes();

  /**
   * Discards the bytes before the reader index as {@link #discardReadBytes()} does, but only if
   * that is likely to be worth its cost. At present: if nothing is readable, or if the reader index
   * is in the second half of the capacity.
   *
   * @return this buffer
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only and bytes would move
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf discardSomeReadBytes();

  /**
   * Ensures that {@code minWritableBytes} bytes can be written without growth. The buffer grows if
   * necessary. No index moves.
   *
   * @param minWritableBytes the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code minWritableBytes} is negative
   * @throws IndexOutOfBoundsException if the writer index plus {@code minWritableBytes} exceeds the
   *     maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf ensureWritable(int minWritableBytes);

  /**
   * Ensures that {@code minWritableBytes} bytes can be written without growth, and returns the
   * outcome instead of throwing if they cannot. No index moves.
   *
   * @param minWritableBytes the number of bytes, 0 or more
   * @param force whether the buffer grows to its maximum capacity if that is not enough
   * @return 0 if the capacity was sufficient; 1 if it is insufficient and did not change, also for
   *     a read-only buffer; 2 if the buffer grew sufficiently; 3 if it grew to its maximum
   *     capacity, which is insufficient
   * @throws IllegalArgumentException if {@code minWritableBytes} is negative, unless this buffer is
   *     a read-only view
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released, unless it
   *     is a read-only view
   */
  public abstract int ensureWritable(int minWritableBytes, boolean force);

  /**
   * Returns a boolean from one byte at an absolute index. No index moves.
   *
   * @param index the absolute index of the byte
   * @return true if the byte is not 0
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if it is not less than the
   *     capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public boolean getBoolean(int index) {
    return getByte(index) != 0;
  }

  /**
   * Returns a signed byte at an absolute index. No index moves.
   *
   * @param index the absolute index of the byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if it is not less than the
   *     capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract byte getByte(int index);

  /**
   * Returns an unsigned byte at an absolute index. No index moves.
   *
   * @param index the absolute index of the byte
   * @return the value, 0 to 255
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if it is not less than the
   *     capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public short getUnsignedByte(int index) {
    return (short) (getByte(index) & 0xFF);
  }

  /**
   * Returns a signed 16-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract short getShort(int index);

  /**
   * Returns a signed 16-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public short getShortLE(int index) {
    return Short.reverseBytes(bigEndian().getShort(index));
  }

  /**
   * Returns an unsigned 16-bit integer at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, 0 to 65,535
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int getUnsignedShort(int index) {
    return getShort(index) & 0xFFFF;
  }

  /**
   * Returns an unsigned 16-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, 0 to 65,535
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int getUnsignedShortLE(int index) {
    return getShortLE(index) & 0xFFFF;
  }

  /**
   * Returns a signed 24-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, -8,388,608 to 8,388,607
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 3} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int getMedium(int index) {
    return getUnsignedMedium(index) << 8 >> 8;
  }

  /**
   * Returns a signed 24-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, -8,388,608 to 8,388,607
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 3} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int getMediumLE(int index) {
    return getUnsignedMediumLE(index) << 8 >> 8;
  }

  /**
   * Returns an unsigned 24-bit integer at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, 0 to 16,777,215
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 3} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int getUnsignedMedium(int index);

  /**
   * Returns an unsigned 24-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, 0 to 16,777,215
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 3} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int getUnsignedMediumLE(int index) {
    return Integer.reverseBytes(bigEndian().getUnsignedMedium(index)) >>> 8;
  }

  /**
   * Returns a signed 32-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int getInt(int index);

  /**
   * Returns a signed 32-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int getIntLE(int index) {
    return Integer.reverseBytes(bigEndian().getInt(index));
  }

  /**
   * Returns an unsigned 32-bit integer at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, 0 to 4,294,967,295
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public long getUnsignedInt(int index) {
    return getInt(index) & 0xFFFFFFFFL;
  }

  /**
   * Returns an unsigned 32-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value, 0 to 4,294,967,295
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public long getUnsignedIntLE(int index) {
    return getIntLE(index) & 0xFFFFFFFFL;
  }

  /**
   * Returns a signed 64-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract long getLong(int index);

  /**
   * Returns a signed 64-bit integer at an absolute index, in little-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public long getLongLE(int index) {
    return Long.reverseBytes(bigEndian().getLong(index));
  }

  /**
   * Returns a UTF-16 code unit of two bytes at an absolute index, in big-endian byte order. No
   * index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public char getChar(int index) {
    return (char) getShort(index);
  }

  /**
   * Returns an IEEE 754 number of 32 bits at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public float getFloat(int index) {
    return Float.intBitsToFloat(getInt(index));
  }

  /**
   * Returns an IEEE 754 number of 32 bits at an absolute index, in little-endian byte order. No
   * index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public float getFloatLE(int index) {
    return Float.intBitsToFloat(getIntLE(index));
  }

  /**
   * Returns an IEEE 754 number of 64 bits at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public double getDouble(int index) {
    return Double.longBitsToDouble(getLong(index));
  }

  /**
   * Returns an IEEE 754 number of 64 bits at an absolute index, in little-endian byte order. No
   * index moves.
   *
   * @param index the absolute index of the first byte
   * @return the value
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public double getDoubleLE(int index) {
    return Double.longBitsToDouble(getLongLE(index));
  }

  /**
   * Copies bytes from an absolute index into all writable bytes of another buffer. The writer index
   * of {@code dst} moves to its capacity; the indices of this buffer do not move.
   *
   * @param index the absolute index of the first byte
   * @param dst the target, whose {@link #writableBytes()} is the number of bytes
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if this buffer has fewer
   *     bytes from there on
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code dst} is
   *     released
   */
  public ByteBuf getBytes(int index, ByteBuf dst) {
    return getBytes(index, dst, dst.writableBytes());
  }

  /**
   * Copies bytes from an absolute index to the writer index of another buffer. The writer index of
   * {@code dst} moves by {@code length}; the indices of this buffer do not move. The target does
   * not grow.
   *
   * @param index the absolute index of the first byte
   * @param dst the target
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     length} exceeds what follows {@code index} here or the writable bytes of {@code dst}
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code dst} is
   *     released
   */
  public ByteBuf getBytes(int index, ByteBuf dst, int length) {
    getBytes(index, dst, dst.writerIndex(), length);
    dst.writerIndex(dst.writerIndex() + length);
    return this;
  }

  /**
   * Copies bytes between absolute indices of two buffers. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param dst the target
   * @param dstIndex the absolute index in {@code dst}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if an argument is negative, or if the range exceeds the
   *     capacity of this buffer or of {@code dst}
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code dst} is
   *     released
   */
  public abstract ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length);

  /**
   * Copies bytes from an absolute index into all of an array. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param dst the target, whose length is the number of bytes
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if this buffer has fewer
   *     bytes from there on
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf getBytes(int index, byte[] dst) {
    return getBytes(index, dst, 0, dst.length);
  }

  /**
   * Copies bytes from an absolute index into part of an array. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param dst the target
   * @param dstIndex the index in {@code dst}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if an argument is negative, or if the range exceeds the
   *     capacity or the array
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length);

  /**
   * Copies bytes from an absolute index into the remaining bytes of a NIO buffer. The position of
   * {@code dst} moves to its limit; the indices of this buffer do not move.
   *
   * @param index the absolute index of the first byte
   * @param dst the target, whose remaining bytes are the number of bytes
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if this buffer has fewer
   *     bytes from there on
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf getBytes(int index, ByteBuffer dst);

  /**
   * Writes bytes from an absolute index to a stream. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param out the stream
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IOException if the stream fails; it may have taken some of the bytes
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf getBytes(int index, OutputStream out, int length) throws IOException;

  /**
   * Writes bytes from an absolute index to a channel, with one write. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param out the channel
   * @param length the number of bytes to offer, 0 or more
   * @return the number of bytes that the channel took, 0 to {@code length}
   * @throws IOException if the channel fails
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int getBytes(int index, GatheringByteChannel out, int length) throws IOException;

  /**
   * Writes bytes from an absolute index to a position of a file. No index moves, and neither does
   * the position of the channel.
   *
   * @param index the absolute index of the first byte
   * @param out the file
   * @param position the position in the file in bytes, 0 or more
   * @param length the number of bytes to offer, 0 or more
   * @return the number of bytes that the channel took, 0 to {@code length}
   * @throws IOException if the channel fails
   * @throws IllegalArgumentException if {@code position} is negative
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int getBytes(int index, FileChannel out, long position, int length)
      throws IOException;

  /**
   * Returns decoded text from an absolute index. Malformed input becomes the replacement character
   * of {@code charset}. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @param charset the character set of the text
   * @return the text, a copy: an {@link dev.cistern.util.AsciiString} for US-ASCII and ISO-8859-1,
   *     otherwise a {@link String}
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract CharSequence getCharSequence(int index, int length, Charset charset);

  /**
   * Writes a boolean at an absolute index, as one byte: 1 for true, 0 for false. No index moves.
   *
   * @param index the absolute index of the byte
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if it is not less than the
   *     capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setBoolean(int index, boolean value) {
    return setByte(index, value ? 1 : 0);
  }

  /**
   * Writes a byte at an absolute index. No index moves.
   *
   * @param index the absolute index of the byte
   * @param value the value, of which only the low 8 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if it is not less than the
   *     capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setByte(int index, int value);

  /**
   * Writes a 16-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, of which only the low 16 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setShort(int index, int value);

  /**
   * Writes a 16-bit integer at an absolute index, in little-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, of which only the low 16 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setShortLE(int index, int value) {
    bigEndian().setShort(index, Short.reverseBytes((short) value));
    return this;
  }

  /**
   * Writes a 24-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, of which only the low 24 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 3} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setMedium(int index, int value);

  /**
   * Writes a 24-bit integer at an absolute index, in little-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, of which only the low 24 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 3} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setMediumLE(int index, int value) {
    bigEndian().setMedium(index, Integer.reverseBytes(value) >>> 8);
    return this;
  }

  /**
   * Writes a 32-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setInt(int index, int value);

  /**
   * Writes a 32-bit integer at an absolute index, in little-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setIntLE(int index, int value) {
    bigEndian().setInt(index, Integer.reverseBytes(value));
    return this;
  }

  /**
   * Writes a 64-bit integer at an absolute index, in big-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setLong(int index, long value);

  /**
   * Writes a 64-bit integer at an absolute index, in little-endian byte order. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setLongLE(int index, long value) {
    bigEndian().setLong(index, Long.reverseBytes(value));
    return this;
  }

  /**
   * Writes a UTF-16 code unit of two bytes at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, of which only the low 16 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 2} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setChar(int index, int value) {
    return setShort(index, value);
  }

  /**
   * Writes an IEEE 754 number of 32 bits at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setFloat(int index, float value) {
    return setInt(index, Float.floatToRawIntBits(value));
  }

  /**
   * Writes an IEEE 754 number of 32 bits at an absolute index, in little-endian byte order. No
   * index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 4} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setFloatLE(int index, float value) {
    return setIntLE(index, Float.floatToRawIntBits(value));
  }

  /**
   * Writes an IEEE 754 number of 64 bits at an absolute index, in big-endian byte order. No index
   * moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setDouble(int index, double value) {
    return setLong(index, Double.doubleToRawLongBits(value));
  }

  /**
   * Writes an IEEE 754 number of 64 bits at an absolute index, in little-endian byte order. No
   * index moves.
   *
   * @param index the absolute index of the first byte
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if {@code index + 8} exceeds
   *     the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setDoubleLE(int index, double value) {
    return setLongLE(index, Double.doubleToRawLongBits(value));
  }

  /**
   * Copies all readable bytes of another buffer to an absolute index. The reader index of {@code
   * src} moves to its writer index; the indices of this buffer do not move.
   *
   * @param index the absolute index of the first byte to write
   * @param src the source
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if the bytes do not fit
   *     below the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code src} is
   *     released
   */
  public ByteBuf setBytes(int index, ByteBuf src) {
    return setBytes(index, src, src.readableBytes());
  }

  /**
   * Copies readable bytes of another buffer to an absolute index. The reader index of {@code src}
   * moves by {@code length}; the indices of this buffer do not move.
   *
   * @param index the absolute index of the first byte to write
   * @param src the source
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     length} exceeds what follows {@code index} here or the readable bytes of {@code src}
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code src} is
   *     released
   */
  public abstract ByteBuf setBytes(int index, ByteBuf src, int length);

  /**
   * Copies bytes between absolute indices of two buffers. No index moves.
   *
   * @param index the absolute index of the first byte to write
   * @param src the source
   * @param srcIndex the absolute index in {@code src}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if an argument is negative, or if the range exceeds the
   *     capacity of this buffer or of {@code src}
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code src} is
   *     released
   */
  public abstract ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length);

  /**
   * Copies all of an array to an absolute index. No index moves.
   *
   * @param index the absolute index of the first byte to write
   * @param src the source
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if the bytes do not fit
   *     below the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf setBytes(int index, byte[] src) {
    return setBytes(index, src, 0, src.length);
  }

  /**
   * Copies part of an array to an absolute index. No index moves.
   *
   * @param index the absolute index of the first byte to write
   * @param src the source
   * @param srcIndex the index in {@code src}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if an argument is negative, or if the range exceeds the
   *     capacity or the array
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setBytes(int index, byte[] src, int srcIndex, int length);

  /**
   * Copies the remaining bytes of a NIO buffer to an absolute index. The position of {@code src}
   * moves to its limit; the indices of this buffer do not move.
   *
   * @param index the absolute index of the first byte to write
   * @param src the source, which may be read-only
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if the bytes do not fit
   *     below the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setBytes(int index, ByteBuffer src);

  /**
   * Reads up to {@code length} bytes of a stream to an absolute index. No index moves.
   *
   * @param index the absolute index of the first byte to write
   * @param in the stream
   * @param length the largest number of bytes, 0 or more
   * @return the number of bytes read, 0 to {@code length}, or -1 at the end of the stream
   * @throws IOException if the stream fails
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int setBytes(int index, InputStream in, int length) throws IOException;

  /**
   * Reads up to {@code length} bytes of a channel to an absolute index, with one read. No index
   * moves.
   *
   * @param index the absolute index of the first byte to write
   * @param in the channel
   * @param length the largest number of bytes, 0 or more
   * @return the number of bytes read, 0 to {@code length}, or -1 at the end of the channel or if it
   *     is closed
   * @throws IOException if the channel fails
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int setBytes(int index, ScatteringByteChannel in, int length) throws IOException;

  /**
   * Reads up to {@code length} bytes from a position of a file to an absolute index. No index
   * moves, and neither does the position of the channel.
   *
   * @param index the absolute index of the first byte to write
   * @param in the file
   * @param position the position in the file in bytes, 0 or more
   * @param length the largest number of bytes, 0 or more
   * @return the number of bytes read, 0 to {@code length}, or -1 at the end of the file or if the
   *     channel is closed
   * @throws IOException if the channel fails
   * @throws IllegalArgumentException if {@code position} is negative
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int setBytes(int index, FileChannel in, long position, int length)
      throws IOException;

  /**
   * Sets bytes from an absolute index to 0. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf setZero(int index, int length);

  /**
   * Encodes text to an absolute index. Characters that {@code charset} cannot encode become its
   * replacement. No index moves, and the buffer does not grow.
   *
   * @param index the absolute index of the first byte to write
   * @param sequence the text
   * @param charset the character set of the text
   * @return the number of bytes written
   * @throws IndexOutOfBoundsException if {@code index} is negative, or if the encoded text does not
   *     fit below the capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int setCharSequence(int index, CharSequence sequence, Charset charset);

  /**
   * Reads a boolean from one byte at the reader index. The reader index moves by one byte.
   *
   * @return true if the byte is not 0
   * @throws IndexOutOfBoundsException if no byte is readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public boolean readBoolean() {
    return readByte() != 0;
  }

  /**
   * Reads a signed byte at the reader index. The reader index moves by one byte.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if no byte is readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract byte readByte();

  /**
   * Reads an unsigned byte at the reader index. The reader index moves by one byte.
   *
   * @return the value, 0 to 255
   * @throws IndexOutOfBoundsException if no byte is readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public short readUnsignedByte() {
    return (short) (readByte() & 0xFF);
  }

  /**
   * Reads a signed 16-bit integer at the reader index, in big-endian byte order. The reader index
   * moves by two bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 2 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract short readShort();

  /**
   * Reads a signed 16-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by two bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 2 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public short readShortLE() {
    return Short.reverseBytes(bigEndian().readShort());
  }

  /**
   * Reads an unsigned 16-bit integer at the reader index, in big-endian byte order. The reader
   * index moves by two bytes.
   *
   * @return the value, 0 to 65,535
   * @throws IndexOutOfBoundsException if fewer than 2 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int readUnsignedShort() {
    return readShort() & 0xFFFF;
  }

  /**
   * Reads an unsigned 16-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by two bytes.
   *
   * @return the value, 0 to 65,535
   * @throws IndexOutOfBoundsException if fewer than 2 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int readUnsignedShortLE() {
    return readShortLE() & 0xFFFF;
  }

  /**
   * Reads a signed 24-bit integer at the reader index, in big-endian byte order. The reader index
   * moves by three bytes.
   *
   * @return the value, -8,388,608 to 8,388,607
   * @throws IndexOutOfBoundsException if fewer than 3 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int readMedium() {
    return readUnsignedMedium() << 8 >> 8;
  }

  /**
   * Reads a signed 24-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by three bytes.
   *
   * @return the value, -8,388,608 to 8,388,607
   * @throws IndexOutOfBoundsException if fewer than 3 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int readMediumLE() {
    return readUnsignedMediumLE() << 8 >> 8;
  }

  /**
   * Reads an unsigned 24-bit integer at the reader index, in big-endian byte order. The reader
   * index moves by three bytes.
   *
   * @return the value, 0 to 16,777,215
   * @throws IndexOutOfBoundsException if fewer than 3 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int readUnsignedMedium();

  /**
   * Reads an unsigned 24-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by three bytes.
   *
   * @return the value, 0 to 16,777,215
   * @throws IndexOutOfBoundsException if fewer than 3 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int readUnsignedMediumLE() {
    return Integer.reverseBytes(bigEndian().readUnsignedMedium()) >>> 8;
  }

  /**
   * Reads a signed 32-bit integer at the reader index, in big-endian byte order. The reader index
   * moves by four bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 4 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int readInt();

  /**
   * Reads a signed 32-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by four bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 4 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int readIntLE() {
    return Integer.reverseBytes(bigEndian().readInt());
  }

  /**
   * Reads an unsigned 32-bit integer at the reader index, in big-endian byte order. The reader
   * index moves by four bytes.
   *
   * @return the value, 0 to 4,294,967,295
   * @throws IndexOutOfBoundsException if fewer than 4 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public long readUnsignedInt() {
    return readInt() & 0xFFFFFFFFL;
  }

  /**
   * Reads an unsigned 32-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by four bytes.
   *
   * @return the value, 0 to 4,294,967,295
   * @throws IndexOutOfBoundsException if fewer than 4 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public long readUnsignedIntLE() {
    return readIntLE() & 0xFFFFFFFFL;
  }

  /**
   * Reads a signed 64-bit integer at the reader index, in big-endian byte order. The reader index
   * moves by eight bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 8 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract long readLong();

  /**
   * Reads a signed 64-bit integer at the reader index, in little-endian byte order. The reader
   * index moves by eight bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 8 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public long readLongLE() {
    return Long.reverseBytes(bigEndian().readLong());
  }

  /**
   * Reads a UTF-16 code unit of two bytes at the reader index, in big-endian byte order. The reader
   * index moves by two bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 2 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public char readChar() {
    return (char) readShort();
  }

  /**
   * Reads an IEEE 754 number of 32 bits at the reader index, in big-endian byte order. The reader
   * index moves by four bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 4 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public float readFloat() {
    return Float.intBitsToFloat(readInt());
  }

  /**
   * Reads an IEEE 754 number of 32 bits at the reader index, in little-endian byte order. The
   * reader index moves by four bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 4 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public float readFloatLE() {
    return Float.intBitsToFloat(readIntLE());
  }

  /**
   * Reads an IEEE 754 number of 64 bits at the reader index, in big-endian byte order. The reader
   * index moves by eight bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 8 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  /**
   * Reads an IEEE 754 number of 64 bits at the reader index, in little-endian byte order. The
   * reader index moves by eight bytes.
   *
   * @return the value
   * @throws IndexOutOfBoundsException if fewer than 8 bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public double readDoubleLE() {
    return Double.longBitsToDouble(readLongLE());
  }

  /**
   * Copies the next bytes into a new buffer. The reader index moves by {@code length}. The new
   * buffer has its own memory and its own reference count; the caller must release it.
   *
   * @param length the number of bytes, 0 or more
   * @return the new buffer, from {@link #alloc()}, with all its bytes readable; the shared empty
   *     buffer if {@code length} is 0
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf readBytes(int length);

  /**
   * Returns a view of the next bytes. The reader index moves by {@code length}. The view shares
   * bytes and reference count and is not retained: see {@link #slice(int, int)}.
   *
   * @param length the number of bytes, 0 or more
   * @return the view, with all its bytes readable
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf readSlice(int length);

  /**
   * Returns a retained view of the next bytes. The reader index moves by {@code length}. The caller
   * releases the view: see {@link #retainedSlice(int, int)}.
   *
   * @param length the number of bytes, 0 or more
   * @return the view, with all its bytes readable
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf readRetainedSlice(int length);

  /**
   * Copies the next bytes into all writable bytes of another buffer. The reader index of this
   * buffer and the writer index of {@code dst} move by that number.
   *
   * @param dst the target, whose {@link #writableBytes()} is the number of bytes
   * @return this buffer
   * @throws IndexOutOfBoundsException if fewer bytes are readable
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code dst} is
   *     released
   */
  public ByteBuf readBytes(ByteBuf dst) {
    return readBytes(dst, dst.writableBytes());
  }

  /**
   * Copies the next bytes to the writer index of another buffer. The reader index of this buffer
   * and the writer index of {@code dst} move by {@code length}. The target does not grow.
   *
   * @param dst the target
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes or the writable
   *     bytes of {@code dst}
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code dst} is
   *     released
   */
  public ByteBuf readBytes(ByteBuf dst, int length) {
    if (CHECK_BOUNDS && length > dst.writableBytes()) {
      throw new IndexOutOfBoundsException(
          "length(" + length + ") exceeds what the target can take, " + dst);
    }
    readBytes(dst, dst.writerIndex(), length);
    dst.writerIndex(dst.writerIndex() + length);
    return this;
  }

  /**
   * Copies the next bytes to an absolute index of another buffer. The reader index moves by {@code
   * length}. The indices of {@code dst} do not move.
   *
   * @param dst the target
   * @param dstIndex the absolute index in {@code dst}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes, or if the range
   *     exceeds the capacity of {@code dst}
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code dst} is
   *     released
   */
  public abstract ByteBuf readBytes(ByteBuf dst, int dstIndex, int length);

  /**
   * Copies the next bytes into all of an array. The reader index moves by the length of the array.
   *
   * @param dst the target, whose length is the number of bytes
   * @return this buffer
   * @throws IndexOutOfBoundsException if fewer bytes are readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf readBytes(byte[] dst) {
    return readBytes(dst, 0, dst.length);
  }

  /**
   * Copies the next bytes into part of an array. The reader index moves by {@code length}.
   *
   * @param dst the target
   * @param dstIndex the index in {@code dst}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes, or if the range
   *     exceeds the array
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf readBytes(byte[] dst, int dstIndex, int length);

  /**
   * Copies the next bytes into the remaining bytes of a NIO buffer. The reader index and the
   * position of {@code dst} move by that number.
   *
   * @param dst the target, whose remaining bytes are the number of bytes
   * @return this buffer
   * @throws IndexOutOfBoundsException if fewer bytes are readable
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf readBytes(ByteBuffer dst);

  /**
   * Writes the next bytes to a stream. The reader index moves by {@code length}.
   *
   * @param out the stream
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IOException if the stream fails; it may have taken some of the bytes, and the reader
   *     index does not move
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf readBytes(OutputStream out, int length) throws IOException;

  /**
   * Writes the next bytes to a channel, with one write. The reader index moves by the number of
   * bytes that the channel took.
   *
   * @param out the channel
   * @param length the number of bytes to offer, 0 or more
   * @return the number of bytes that the channel took, 0 to {@code length}
   * @throws IOException if the channel fails; the reader index does not move
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int readBytes(GatheringByteChannel out, int length) throws IOException;

  /**
   * Reads text. The reader index moves by {@code length}. Malformed input becomes the replacement
   * character of {@code charset}.
   *
   * @param length the number of encoded bytes, 0 or more
   * @param charset the character set of the text
   * @return the text, a copy: an {@link dev.cistern.util.AsciiString} for US-ASCII and ISO-8859-1,
   *     otherwise a {@link String}
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract CharSequence readCharSequence(int length, Charset charset);

  /**
   * Writes the next bytes to a position of a file. The reader index moves by the number of bytes
   * that the channel took; the position of the channel does not move.
   *
   * @param out the file
   * @param position the position in the file in bytes, 0 or more
   * @param length the number of bytes to offer, 0 or more
   * @return the number of bytes that the channel took, 0 to {@code length}
   * @throws IOException if the channel fails; the reader index does not move
   * @throws IllegalArgumentException if {@code position} or {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int readBytes(FileChannel out, long position, int length) throws IOException;

  /**
   * Moves the reader index forward.
   *
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf skipBytes(int length);

  /**
   * Writes a boolean at the writer index, as one byte: 1 for true, 0 for false. The writer index
   * moves by one byte; the buffer grows if necessary.
   *
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 1 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeBoolean(boolean value) {
    return writeByte(value ? 1 : 0);
  }

  /**
   * Writes a byte at the writer index. The writer index moves by one byte; the buffer grows if
   * necessary.
   *
   * @param value the value, of which only the low 8 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 1 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeByte(int value);

  /**
   * Writes a 16-bit integer at the writer index, in big-endian byte order. The writer index moves
   * by two bytes; the buffer grows if necessary.
   *
   * @param value the value, of which only the low 16 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 2 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeShort(int value);

  /**
   * Writes a 16-bit integer at the writer index, in little-endian byte order. The writer index
   * moves by two bytes; the buffer grows if necessary.
   *
   * @param value the value, of which only the low 16 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 2 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeShortLE(int value) {
    bigEndian().writeShort(Short.reverseBytes((short) value));
    return this;
  }

  /**
   * Writes a 24-bit integer at the writer index, in big-endian byte order. The writer index moves
   * by three bytes; the buffer grows if necessary.
   *
   * @param value the value, of which only the low 24 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 3 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeMedium(int value);

  /**
   * Writes a 24-bit integer at the writer index, in little-endian byte order. The writer index
   * moves by three bytes; the buffer grows if necessary.
   *
   * @param value the value, of which only the low 24 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 3 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeMediumLE(int value) {
    bigEndian().writeMedium(Integer.reverseBytes(value) >>> 8);
    return this;
  }

  /**
   * Writes a 32-bit integer at the writer index, in big-endian byte order. The writer index moves
   * by four bytes; the buffer grows if necessary.
   *
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 4 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeInt(int value);

  /**
   * Writes a 32-bit integer at the writer index, in little-endian byte order. The writer index
   * moves by four bytes; the buffer grows if necessary.
   *
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 4 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeIntLE(int value) {
    bigEndian().writeInt(Integer.reverseBytes(value));
    return this;
  }

  /**
   * Writes a 64-bit integer at the writer index, in big-endian byte order. The writer index moves
   * by eight bytes; the buffer grows if necessary.
   *
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 8 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeLong(long value);

  /**
   * Writes a 64-bit integer at the writer index, in little-endian byte order. The writer index
   * moves by eight bytes; the buffer grows if necessary.
   *
   * @param value the value
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 8 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeLongLE(long value) {
    bigEndian().writeLong(Long.reverseBytes(value));
    return this;
  }

  /**
   * Writes a UTF-16 code unit of two bytes at the writer index, in big-endian byte order. The
   * writer index moves by two bytes; the buffer grows if necessary.
   *
   * @param value the value, of which only the low 16 bits are used
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 2 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeChar(int value) {
    return writeShort(value);
  }

  /**
   * Writes an IEEE 754 number of 32 bits at the writer index, in big-endian byte order. The writer
   * index moves by four bytes; the buffer grows if necessary.
   *
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 4 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeFloat(float value) {
    return writeInt(Float.floatToRawIntBits(value));
  }

  /**
   * Writes an IEEE 754 number of 32 bits at the writer index, in little-endian byte order. The
   * writer index moves by four bytes; the buffer grows if necessary.
   *
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 4 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeFloatLE(float value) {
    return writeIntLE(Float.floatToRawIntBits(value));
  }

  /**
   * Writes an IEEE 754 number of 64 bits at the writer index, in big-endian byte order. The writer
   * index moves by eight bytes; the buffer grows if necessary.
   *
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 8 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeDouble(double value) {
    return writeLong(Double.doubleToRawLongBits(value));
  }

  /**
   * Writes an IEEE 754 number of 64 bits at the writer index, in little-endian byte order. The
   * writer index moves by eight bytes; the buffer grows if necessary.
   *
   * @param value the value, whose bits are written unchanged
   * @return this buffer
   * @throws IndexOutOfBoundsException if the writer index plus 8 exceeds the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeDoubleLE(double value) {
    return writeLongLE(Double.doubleToRawLongBits(value));
  }

  /**
   * Copies all readable bytes of another buffer to the writer index. The writer index and the
   * reader index of {@code src} move by that number; the buffer grows if necessary.
   *
   * @param src the source
   * @return this buffer
   * @throws IndexOutOfBoundsException if the bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code src} is
   *     released
   */
  public ByteBuf writeBytes(ByteBuf src) {
    return writeBytes(src, src.readableBytes());
  }

  /**
   * Copies readable bytes of another buffer to the writer index. The writer index and the reader
   * index of {@code src} move by {@code length}; the buffer grows if necessary.
   *
   * @param src the source
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes of {@code src},
   *     or if the bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code src} is
   *     released
   */
  public ByteBuf writeBytes(ByteBuf src, int length) {
    checkReadable(src, length);
    writeBytes(src, src.readerIndex(), length);
    src.readerIndex(src.readerIndex() + length);
    return this;
  }

  /**
   * Fails if a source has fewer than {@code length} readable bytes.
   *
   * @param src the source
   * @param length the number of bytes
   */
  static void checkReadable(ByteBuf src, int length) {
    if (CHECK_BOUNDS && length > src.readableBytes()) {
      throw new IndexOutOfBoundsException(
          "length(" + length + ") exceeds what the source has to read, " + src);
    }
  }

  /**
   * Copies bytes from an absolute index of another buffer to the writer index. The writer index
   * moves by {@code length}; the buffer grows if necessary. The indices of {@code src} do not move.
   *
   * @param src the source
   * @param srcIndex the absolute index in {@code src}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if the range exceeds the capacity of {@code src}, or if the
   *     bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer or {@code src} is
   *     released
   */
  public abstract ByteBuf writeBytes(ByteBuf src, int srcIndex, int length);

  /**
   * Copies all of an array to the writer index. The writer index moves by the length of the array;
   * the buffer grows if necessary.
   *
   * @param src the source
   * @return this buffer
   * @throws IndexOutOfBoundsException if the bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf writeBytes(byte[] src) {
    return writeBytes(src, 0, src.length);
  }

  /**
   * Copies part of an array to the writer index. The writer index moves by {@code length}; the
   * buffer grows if necessary.
   *
   * @param src the source
   * @param srcIndex the index in {@code src}
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if the range exceeds the array, or if the bytes do not fit
   *     below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeBytes(byte[] src, int srcIndex, int length);

  /**
   * Copies the remaining bytes of a NIO buffer to the writer index. The writer index and the
   * position of {@code src} move by that number; the buffer grows if necessary.
   *
   * @param src the source, which may be read-only
   * @return this buffer
   * @throws IndexOutOfBoundsException if the bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeBytes(ByteBuffer src);

  /**
   * Reads up to {@code length} bytes of a stream to the writer index. The writer index moves by the
   * number of bytes read.
   *
   * @param in the stream
   * @param length the largest number of bytes, 0 or more, for which the buffer makes room
   * @return the number of bytes read, 0 to {@code length}, or -1 at the end of the stream
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int writeBytes(InputStream in, int length) throws IOException;

  /**
   * Reads up to {@code length} bytes of a channel to the writer index, with one read. The writer
   * index moves by the number of bytes read.
   *
   * @param in the channel
   * @param length the largest number of bytes, 0 or more, for which the buffer makes room
   * @return the number of bytes read, 0 to {@code length}, or -1 at the end of the channel or if it
   *     is closed
   * @throws IOException if the channel fails; the writer index does not move
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int writeBytes(ScatteringByteChannel in, int length) throws IOException;

  /**
   * Reads up to {@code length} bytes from a position of a file to the writer index. The writer
   * index moves by the number of bytes read. The position of the channel does not move.
   *
   * @param in the file
   * @param position the position in the file in bytes, 0 or more
   * @param length the largest number of bytes, 0 or more, for which the buffer makes room
   * @return the number of bytes read, 0 to {@code length}, or -1 at the end of the file or if the
   *     channel is closed
   * @throws IOException if the channel fails; the writer index does not move
   * @throws IllegalArgumentException if {@code position} or {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} bytes do not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int writeBytes(FileChannel in, long position, int length) throws IOException;

  /**
   * Writes bytes of value 0 at the writer index. The writer index moves by {@code length}; the
   * buffer grows if necessary.
   *
   * @param length the number of bytes, 0 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if the writer index plus {@code length} exceeds the maximum
   *     capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf writeZero(int length);

  /**
   * Encodes text at the writer index. The writer index moves by the number of encoded bytes; the
   * buffer grows if necessary. Characters that {@code charset} cannot encode become its
   * replacement.
   *
   * @param sequence the text
   * @param charset the character set of the text
   * @return the number of bytes written
   * @throws IndexOutOfBoundsException if the encoded text does not fit below the maximum capacity
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int writeCharSequence(CharSequence sequence, Charset charset);

  /**
   * Returns the index of a byte value between two absolute indices. The search is forwards if
   * {@code fromIndex <= toIndex}, from {@code fromIndex} to before {@code toIndex}; otherwise it is
   * backwards, from before {@code fromIndex} down to {@code toIndex}. No index moves.
   *
   * @param fromIndex the index at which the search starts; a negative value counts as 0, and
   *     backwards a value above the capacity counts as the capacity
   * @param toIndex the index at which the search ends, 0 to the capacity
   * @param value the byte to find
   * @return the absolute index of the byte that is found first, or -1
   * @throws IndexOutOfBoundsException if {@code toIndex} is outside this range and the range is not
   *     empty
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released and the
   *     range is not empty
   */
  public abstract int indexOf(int fromIndex, int toIndex, byte value);

  /**
   * Returns the number of readable bytes before the first one with a value. No index moves.
   *
   * @param value the byte to find
   * @return the distance from the reader index, or -1 if the value is not found
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released and has
   *     readable bytes
   */
  public int bytesBefore(byte value) {
    return bytesBefore(readerIndex(), readableBytes(), value);
  }

  /**
   * Returns the number of bytes before the first one with a value, among the next readable bytes.
   * No index moves.
   *
   * @param length the number of bytes to search, 0 or more
   * @param value the byte to find
   * @return the distance from the reader index, or -1 if the value is not found
   * @throws IllegalArgumentException if {@code length} is negative
   * @throws IndexOutOfBoundsException if {@code length} exceeds the readable bytes
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int bytesBefore(int length, byte value);

  /**
   * Returns the number of bytes before the first one with a value, from an absolute index. No index
   * moves.
   *
   * @param index the absolute index of the first byte to search
   * @param length the number of bytes to search, 0 or more
   * @param value the byte to find
   * @return the distance from {@code index}, or -1 if the value is not found
   * @throws IndexOutOfBoundsException if {@code index + length} exceeds the capacity and {@code
   *     length} is not 0
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released and the
   *     range is not empty
   */
  public int bytesBefore(int index, int length, byte value) {
    int found = indexOf(index, index + length, value);
    return found < 0 ? -1 : found - index;
  }

  /**
   * Passes the readable bytes to a processor in ascending order until it returns false. No index
   * moves. An exception of the processor reaches the caller unchanged.
   *
   * @param processor the processor
   * @return the absolute index at which the processor returned false, or -1 if it never did
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int forEachByte(ByteProcessor processor) {
    return forEachByte(readerIndex(), readableBytes(), processor);
  }

  /**
   * Passes bytes from an absolute index to a processor in ascending order until it returns false.
   * No index moves. An exception of the processor reaches the caller unchanged.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @param processor the processor
   * @return the absolute index at which the processor returned false, or -1 if it never did
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int forEachByte(int index, int length, ByteProcessor processor);

  /**
   * Passes the readable bytes to a processor in descending order until it returns false. No index
   * moves. An exception of the processor reaches the caller unchanged.
   *
   * @param processor the processor
   * @return the absolute index at which the processor returned false, or -1 if it never did
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public int forEachByteDesc(ByteProcessor processor) {
    return forEachByteDesc(readerIndex(), readableBytes(), processor);
  }

  /**
   * Passes bytes of a range to a processor in descending order until it returns false. No index
   * moves. An exception of the processor reaches the caller unchanged.
   *
   * @param index the absolute index of the lowest byte, which the processor receives last
   * @param length the number of bytes, 0 or more
   * @param processor the processor
   * @return the absolute index at which the processor returned false, or -1 if it never did
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int forEachByteDesc(int index, int length, ByteProcessor processor);

  /**
   * Copies the readable bytes into a new buffer. The new buffer has memory and a reference count of
   * its own; the caller releases it. No index moves.
   *
   * @return the new buffer, from {@link #alloc()}, with all its bytes readable
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf copy() {
    return copy(readerIndex(), readableBytes());
  }

  /**
   * Copies bytes from an absolute index into a new buffer. The new buffer has memory and a
   * reference count of its own; the caller releases it. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return the new buffer, from {@link #alloc()}, with all its bytes readable
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf copy(int index, int length);

  /**
   * Returns a view of the readable bytes, as {@link #slice(int, int)} does.
   *
   * @return the view, not retained
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf slice() {
    return slice(readerIndex(), readableBytes());
  }

  /**
   * Returns a retained view of the readable bytes, as {@link #retainedSlice(int, int)} does.
   *
   * @return the view; the caller releases it
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuf retainedSlice() {
    return retainedSlice(readerIndex(), readableBytes());
  }

  /**
   * Returns a view of bytes from an absolute index. The view shares the bytes with this buffer and
   * has its own indices and marks. Its capacity is fixed. It is not retained: it is valid until
   * this buffer is released, and a release of the view releases this buffer. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return the view, with reader index 0 and writer index {@code length}
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf slice(int index, int length);

  /**
   * Returns a view as {@link #slice(int, int)} does, and retains it: the memory stays allocated
   * until both this buffer and the view are released.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return the view; the caller releases it
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf retainedSlice(int index, int length);

  /**
   * Returns a view of all bytes. The view shares bytes and capacity with this buffer; it starts
   * with this buffer's indices, and has its own indices and marks afterwards. It is not retained:
   * it is valid until this buffer is released, and a release of the view releases this buffer.
   *
   * @return the view, not retained
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf duplicate();

  /**
   * Returns a view as {@link #duplicate()} does, and retains it: the memory stays allocated until
   * both this buffer and the view are released.
   *
   * @return the view; the caller releases it
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuf retainedDuplicate();

  /**
   * Returns the number of NIO buffers that {@link #nioBuffers()} needs for all bytes of this
   * buffer.
   *
   * @return the number: 1 if one NIO buffer can hold them without a copy; -1 if there is no NIO
   *     buffer for them
   */
  public abstract int nioBufferCount();

  /**
   * Returns the readable bytes as a NIO buffer, as {@link #nioBuffer(int, int)} does.
   *
   * @return the NIO buffer, with position 0
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuffer nioBuffer() {
    return nioBuffer(readerIndex(), readableBytes());
  }

  /**
   * Returns bytes from an absolute index as a new NIO buffer. It is valid until this buffer is
   * released or changes its capacity. Its position and limit are independent of the indices here,
   * and no index moves. Its byte order is that of this buffer. It is read-only if this buffer is.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return the NIO buffer, with position 0 and {@code length} remaining bytes; it shares the
   *     memory, unless the range spans components of a composite, which are copied
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuffer nioBuffer(int index, int length);

  /**
   * Returns bytes from an absolute index as a NIO buffer that this buffer may keep and return
   * again. The next call may change its position and limit; so it is for one thread and for
   * immediate use.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return the NIO buffer, whose remaining bytes are the range; its position may be any number
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws UnsupportedOperationException if no single NIO buffer shares the memory, as with a
   *     composite of several components
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuffer internalNioBuffer(int index, int length);

  /**
   * Returns the readable bytes as NIO buffers, as {@link #nioBuffers(int, int)} does.
   *
   * @return the NIO buffers, in order
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public ByteBuffer[] nioBuffers() {
    return nioBuffers(readerIndex(), readableBytes());
  }

  /**
   * Returns bytes from an absolute index as NIO buffers that share the memory, one or more for each
   * component of a composite. They are valid until this buffer is released or changes its capacity.
   * No index moves.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @return the NIO buffers, in order
   * @throws IndexOutOfBoundsException if {@code index} or {@code length} is negative, or if {@code
   *     index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract ByteBuffer[] nioBuffers(int index, int length);

  /**
   * Returns whether {@link #array()} and {@link #arrayOffset()} are supported.
   *
   * @return true if the bytes are in one array and this buffer is not read-only
   */
  public abstract boolean hasArray();

  /**
   * Returns the array that holds the bytes. It may hold bytes of other buffers, too: only {@link
   * #capacity()} bytes from {@link #arrayOffset()} on belong to this buffer. It is valid until this
   * buffer is released or changes its capacity.
   *
   * @return the array, not a copy
   * @throws UnsupportedOperationException if the bytes are not in one array
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract byte[] array();

  /**
   * Returns the index in {@link #array()} at which index 0 of this buffer is.
   *
   * @return the offset in bytes, 0 or more
   * @throws UnsupportedOperationException if the bytes are not in one array
   * @throws java.nio.ReadOnlyBufferException if this buffer is read-only
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract int arrayOffset();

  /**
   * Returns whether {@link #memoryAddress()} is supported.
   *
   * @return true if the bytes are in one block of native memory
   */
  public abstract boolean hasMemoryAddress();

  /**
   * Returns the native address of index 0. It is valid until this buffer is released or changes its
   * capacity.
   *
   * @return the address
   * @throws UnsupportedOperationException if the bytes are not in one block of native memory
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract long memoryAddress();

  /**
   * Returns whether the bytes are in one block of memory, on the Java heap or outside it.
   *
   * @return true if they are
   */
  public boolean isContiguous() {
    return false;
  }

  /**
   * Returns this buffer.
   *
   * @return this buffer
   */
  @Override
  public ByteBuf asByteBuf() {
    return this;
  }

  /**
   * Returns the readable bytes as decoded text. Malformed input becomes the replacement character
   * of {@code charset}. No index moves.
   *
   * @param charset the character set of the text
   * @return the text
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public String toString(Charset charset) {
    return toString(readerIndex(), readableBytes(), charset);
  }

  /**
   * Returns decoded text from an absolute index. Malformed input becomes the replacement character
   * of {@code charset}. No index moves.
   *
   * @param index the absolute index of the first byte
   * @param length the number of bytes, 0 or more
   * @param charset the character set of the text
   * @return the text
   * @throws IndexOutOfBoundsException if {@code length} is not 0, and {@code index} or {@code
   *     length} is negative or {@code index + length} exceeds the capacity
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released
   */
  public abstract String toString(int index, int length, Charset charset);

  /**
   * Returns a hash of the readable bytes. Equal buffers have the same hash, whatever their kind;
   * the hash changes with the bytes and the indices.
   *
   * @return the hash
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released and has
   *     readable bytes
   */
  @Override
  public int hashCode() {
    return ByteBufUtil.hashCode(this);
  }

  /**
   * Returns whether an object is a buffer with the same readable bytes. Kind, capacity and indices
   * do not matter.
   *
   * @param other the object to compare, or null
   * @return true if it is
   * @throws dev.cistern.util.IllegalReferenceCountException if a buffer is released whose bytes are
   *     to be compared
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof ByteBuf buffer && ByteBufUtil.equals(this, buffer));
  }

  /**
   * Compares the readable bytes of two buffers lexicographically, as unsigned bytes. If one is the
   * beginning of the other, the shorter one is less.
   *
   * @param buffer the buffer to compare
   * @return a negative number, 0 or a positive number if this buffer is less, equal or greater
   * @throws dev.cistern.util.IllegalReferenceCountException if a buffer is released whose bytes are
   *     to be compared
   */
  @Override
  public int compareTo(ByteBuf buffer) {
    return ByteBufUtil.compare(this, Objects.requireNonNull(buffer, "buffer"));
  }

  /**
   * Returns the kind, indices and capacity for messages and debuggers, not the bytes. It works on a
   * released buffer, too.
   *
   * @return the description
   */
  @Override
  public abstract String toString();

  /**
   * Adds {@code increment} references, each of which must be released.
   *
   * @param increment the number of references, 1 or more
   * @return this buffer
   * @throws IllegalArgumentException if {@code increment} is not positive
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released, or if the
   *     count would exceed its maximum
   */
  @Override
  public abstract ByteBuf retain(int increment);

  /**
   * Adds one reference, which must be released.
   *
   * @return this buffer
   * @throws dev.cistern.util.IllegalReferenceCountException if this buffer is released, or if the
   *     count is at its maximum
   */
  @Override
  public ByteBuf retain() {
    return retain(1);
  }

  /**
   * Records the current access for the leak detector, if it tracks this buffer.
   *
   * @return this buffer
   */
  @Override
  public ByteBuf touch() {
    return touch(null);
  }

  /**
   * Records the current access with a hint for the leak detector, if it tracks this buffer.
   *
   * @param hint an object whose description is part of a leak report, or null
   * @return this buffer
   */
  @Override
  public abstract ByteBuf touch(@Nullable Object hint);

  /**
   * Returns the buffer whose numbers are big endian.
   *
   * @return this buffer, or the buffer of which it is a view in little-endian order
   */
  @SuppressWarnings("deprecation") // order() is deprecated
  ByteBuf bigEndian() {
    return order() == ByteOrder.BIG_ENDIAN ? this : order(ByteOrder.BIG_ENDIAN);
  }
}
