/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

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
import org.jspecify.annotations.Nullable;

/**
 * A sequence of bytes with two indices: reads start at the reader index, writes at the writer
 * index, and 0 &lt;= reader index &lt;= writer index &lt;= capacity &lt;= maximum capacity (seed
 * row B1).
 *
 * <p>{@code get} and {@code set} take an absolute index and move nothing; {@code read} and {@code
 * write} move the index of theirs. Writes past the capacity grow the buffer up to its maximum.
 * Numbers of more than a byte are big endian, those of methods that end in {@code LE} little
 * endian. All lengths and indices are in bytes.
 *
 * <p>Unless a method says otherwise, it throws
 *
 * <ul>
 *   <li>{@link dev.cistern.util.IllegalReferenceCountException} on a released buffer, where it
 *       would touch the memory;
 *   <li>{@link IndexOutOfBoundsException}, naming index, length and capacity, where that would
 *       reach outside of it; the buffer is then as it was.
 * </ul>
 *
 * <p>Get operations may run in several threads at a time (seed row B12), all others in one.
 */
public abstract class ByteBuf implements ReferenceCounted, Comparable<ByteBuf>, ByteBufConvertible {
  /** For subclasses. */
  public ByteBuf() {}

  /** Bytes that this buffer can hold as it is. */
  public abstract int capacity();

  /**
   * Grows or shrinks this buffer. New bytes have any value; lost ones take the indices with them.
   *
   * @throws IllegalArgumentException if negative or above {@link #maxCapacity}
   */
  public abstract ByteBuf capacity(int newCapacity);

  /** The most that this buffer can grow to. */
  public abstract int maxCapacity();

  /** Who made this buffer, and makes its copies. */
  public abstract ByteBufAllocator alloc();

  /**
   * The order of methods that do not say {@code LE}.
   *
   * @deprecated use the methods that end in {@code LE}
   */
  @Deprecated
  public abstract ByteOrder order();

  /**
   * A view of this buffer, with the same indices, whose methods that do not say {@code LE} have the
   * given order (seed row B2); this buffer where that is its order already.
   *
   * @deprecated use the methods that end in {@code LE}
   */
  @Deprecated
  public abstract ByteBuf order(ByteOrder endianness);

  /** The buffer that this one is a view of, or null. */
  public abstract @Nullable ByteBuf unwrap();

  /** True if the bytes are outside of the Java heap. */
  public abstract boolean isDirect();

  /** True if every write is refused, with a {@link java.nio.ReadOnlyBufferException}. */
  public abstract boolean isReadOnly();

  /**
   * A view of this buffer, with indices of its own that start with this buffer's, which refuses
   * every write (seed row B10); this buffer if it does so itself. It shares memory and count.
   */
  public abstract ByteBuf asReadOnly();

  /** Where the next read starts. */
  public abstract int readerIndex();

  /**
   * Moves the reader index.
   *
   * @throws IndexOutOfBoundsException if negative or above the writer index
   */
  public abstract ByteBuf readerIndex(int readerIndex);

  /** Where the next write starts. */
  public abstract int writerIndex();

  /**
   * Moves the writer index.
   *
   * @throws IndexOutOfBoundsException if below the reader index or above the capacity
   */
  public abstract ByteBuf writerIndex(int writerIndex);

  /**
   * Moves both indices.
   *
   * @throws IndexOutOfBoundsException unless 0 &lt;= reader &lt;= writer &lt;= capacity
   */
  public abstract ByteBuf setIndex(int readerIndex, int writerIndex);

  /** Bytes between the indices. */
  public abstract int readableBytes();

  /** Bytes between the writer index and the capacity. */
  public abstract int writableBytes();

  /** Bytes between the writer index and the maximum capacity. */
  public abstract int maxWritableBytes();

  /** Bytes that can be written without a move of the memory. */
  public int maxFastWritableBytes() {
    return writableBytes();
  }

  /** True if there is a byte to read. */
  public abstract boolean isReadable();

  /** True if there are {@code size} bytes to read. */
  public abstract boolean isReadable(int size);

  /** True if there is room for a byte without growth. */
  public abstract boolean isWritable();

  /** True if there is room for {@code size} bytes without growth. */
  public abstract boolean isWritable(int size);

  /** Moves both indices to 0; the bytes stay. */
  public abstract ByteBuf clear();

  /** Remembers the reader index. */
  public abstract ByteBuf markReaderIndex();

  /** Goes back to the remembered reader index, at first 0. */
  public abstract ByteBuf resetReaderIndex();

  /** Remembers the writer index. */
  public abstract ByteBuf markWriterIndex();

  /** Goes back to the remembered writer index, at first 0. */
  public abstract ByteBuf resetWriterIndex();

  /** Moves the readable bytes to index 0. */
  public abstract ByteBuf discardReadBytes();

  /** As {@link #discardReadBytes}, but only when at least half of the buffer has been read. */
  public abstract ByteBuf discardSomeReadBytes();

  /**
   * Makes room for {@code minWritableBytes}.
   *
   * @throws IndexOutOfBoundsException if that is more than the maximum capacity allows
   * @throws IllegalArgumentException if negative
   */
  public abstract ByteBuf ensureWritable(int minWritableBytes);

  /**
   * Makes room if it can, and says how it went.
   *
   * @param force true to grow to the maximum capacity even where that is not enough
   * @return 0: there was room; 1: there is not enough, and nothing changed; 2: it has grown enough;
   *     3: it has grown to the maximum, which is not enough
   * @throws IllegalArgumentException if {@code minWritableBytes} is negative
   */
  public abstract int ensureWritable(int minWritableBytes, boolean force);

  /** Reads a boolean: one byte, 0 is false at {@code index}. */
  public boolean getBoolean(int index) {
    return getByte(index) != 0;
  }

  /** Reads a byte at {@code index}. */
  public abstract byte getByte(int index);

  /** Reads an unsigned byte at {@code index}. */
  public short getUnsignedByte(int index) {
    return (short) (getByte(index) & 0xFF);
  }

  /** Reads a 16-bit integer at {@code index}. */
  public abstract short getShort(int index);

  /** Reads a 16-bit integer, little endian at {@code index}. */
  public short getShortLE(int index) {
    return Short.reverseBytes(bigEndian().getShort(index));
  }

  /** Reads an unsigned 16-bit integer at {@code index}. */
  public int getUnsignedShort(int index) {
    return getShort(index) & 0xFFFF;
  }

  /** Reads an unsigned 16-bit integer, little endian at {@code index}. */
  public int getUnsignedShortLE(int index) {
    return getShortLE(index) & 0xFFFF;
  }

  /** Reads a 24-bit integer at {@code index}. */
  public int getMedium(int index) {
    return getUnsignedMedium(index) << 8 >> 8;
  }

  /** Reads a 24-bit integer, little endian at {@code index}. */
  public int getMediumLE(int index) {
    return getUnsignedMediumLE(index) << 8 >> 8;
  }

  /** Reads an unsigned 24-bit integer at {@code index}. */
  public abstract int getUnsignedMedium(int index);

  /** Reads an unsigned 24-bit integer, little endian at {@code index}. */
  public int getUnsignedMediumLE(int index) {
    return Integer.reverseBytes(bigEndian().getUnsignedMedium(index)) >>> 8;
  }

  /** Reads a 32-bit integer at {@code index}. */
  public abstract int getInt(int index);

  /** Reads a 32-bit integer, little endian at {@code index}. */
  public int getIntLE(int index) {
    return Integer.reverseBytes(bigEndian().getInt(index));
  }

  /** Reads an unsigned 32-bit integer at {@code index}. */
  public long getUnsignedInt(int index) {
    return getInt(index) & 0xFFFFFFFFL;
  }

  /** Reads an unsigned 32-bit integer, little endian at {@code index}. */
  public long getUnsignedIntLE(int index) {
    return getIntLE(index) & 0xFFFFFFFFL;
  }

  /** Reads a 64-bit integer at {@code index}. */
  public abstract long getLong(int index);

  /** Reads a 64-bit integer, little endian at {@code index}. */
  public long getLongLE(int index) {
    return Long.reverseBytes(bigEndian().getLong(index));
  }

  /** Reads a UTF-16 unit at {@code index}. */
  public char getChar(int index) {
    return (char) getShort(index);
  }

  /** Reads a 32-bit floating point number at {@code index}. */
  public float getFloat(int index) {
    return Float.intBitsToFloat(getInt(index));
  }

  /** Reads a 32-bit floating point number, little endian at {@code index}. */
  public float getFloatLE(int index) {
    return Float.intBitsToFloat(getIntLE(index));
  }

  /** Reads a 64-bit floating point number at {@code index}. */
  public double getDouble(int index) {
    return Double.longBitsToDouble(getLong(index));
  }

  /** Reads a 64-bit floating point number, little endian at {@code index}. */
  public double getDoubleLE(int index) {
    return Double.longBitsToDouble(getLongLE(index));
  }

  /**
   * Copies as much as {@code dst} has room for, from {@code index} on, and moves its writer index.
   */
  public ByteBuf getBytes(int index, ByteBuf dst) {
    return getBytes(index, dst, dst.writableBytes());
  }

  /** Copies {@code length} bytes to {@code dst}, and moves its writer index. */
  public ByteBuf getBytes(int index, ByteBuf dst, int length) {
    getBytes(index, dst, dst.writerIndex(), length);
    dst.writerIndex(dst.writerIndex() + length);
    return this;
  }

  /** Copies {@code length} bytes to {@code dst}, and moves no index. */
  public abstract ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length);

  /** Fills {@code dst}. */
  public ByteBuf getBytes(int index, byte[] dst) {
    return getBytes(index, dst, 0, dst.length);
  }

  /** Copies {@code length} bytes to {@code dst}. */
  public abstract ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length);

  /** Fills what remains of {@code dst}. */
  public abstract ByteBuf getBytes(int index, ByteBuffer dst);

  /** Writes {@code length} bytes to a stream. */
  public abstract ByteBuf getBytes(int index, OutputStream out, int length) throws IOException;

  /** Offers {@code length} bytes to a channel; returns how many it took. */
  public abstract int getBytes(int index, GatheringByteChannel out, int length) throws IOException;

  /**
   * Offers {@code length} bytes to a file at a position; returns how many it took. The channel's
   * own position stays (seed row B3).
   */
  public abstract int getBytes(int index, FileChannel out, long position, int length)
      throws IOException;

  /** Decodes {@code length} bytes. */
  public abstract CharSequence getCharSequence(int index, int length, Charset charset);

  /** Writes a boolean: one byte, 1 or 0, at {@code index}. */
  public ByteBuf setBoolean(int index, boolean value) {
    return setByte(index, value ? 1 : 0);
  }

  /** Writes the low 8 bits of a value, at {@code index}. */
  public abstract ByteBuf setByte(int index, int value);

  /** Writes the low 16 bits of a value, at {@code index}. */
  public abstract ByteBuf setShort(int index, int value);

  /** Writes the low 16 bits of a value, little endian, at {@code index}. */
  public ByteBuf setShortLE(int index, int value) {
    bigEndian().setShort(index, Short.reverseBytes((short) value));
    return this;
  }

  /** Writes the low 24 bits of a value, at {@code index}. */
  public abstract ByteBuf setMedium(int index, int value);

  /** Writes the low 24 bits of a value, little endian, at {@code index}. */
  public ByteBuf setMediumLE(int index, int value) {
    bigEndian().setMedium(index, Integer.reverseBytes(value) >>> 8);
    return this;
  }

  /** Writes a 32-bit integer, at {@code index}. */
  public abstract ByteBuf setInt(int index, int value);

  /** Writes a 32-bit integer, little endian, at {@code index}. */
  public ByteBuf setIntLE(int index, int value) {
    bigEndian().setInt(index, Integer.reverseBytes(value));
    return this;
  }

  /** Writes a 64-bit integer, at {@code index}. */
  public abstract ByteBuf setLong(int index, long value);

  /** Writes a 64-bit integer, little endian, at {@code index}. */
  public ByteBuf setLongLE(int index, long value) {
    bigEndian().setLong(index, Long.reverseBytes(value));
    return this;
  }

  /** Writes a UTF-16 unit, at {@code index}. */
  public ByteBuf setChar(int index, int value) {
    return setShort(index, value);
  }

  /** Writes a 32-bit floating point number, at {@code index}. */
  public ByteBuf setFloat(int index, float value) {
    return setInt(index, Float.floatToRawIntBits(value));
  }

  /** Writes a 32-bit floating point number, little endian, at {@code index}. */
  public ByteBuf setFloatLE(int index, float value) {
    return setIntLE(index, Float.floatToRawIntBits(value));
  }

  /** Writes a 64-bit floating point number, at {@code index}. */
  public ByteBuf setDouble(int index, double value) {
    return setLong(index, Double.doubleToRawLongBits(value));
  }

  /** Writes a 64-bit floating point number, little endian, at {@code index}. */
  public ByteBuf setDoubleLE(int index, double value) {
    return setLongLE(index, Double.doubleToRawLongBits(value));
  }

  /** Copies what {@code src} has to read, and moves its reader index. */
  public ByteBuf setBytes(int index, ByteBuf src) {
    return setBytes(index, src, src.readableBytes());
  }

  /** Copies {@code length} bytes from {@code src}, and moves its reader index. */
  public abstract ByteBuf setBytes(int index, ByteBuf src, int length);

  /** Copies {@code length} bytes from {@code src}, and moves no index. */
  public abstract ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length);

  /** Copies all of {@code src}. */
  public ByteBuf setBytes(int index, byte[] src) {
    return setBytes(index, src, 0, src.length);
  }

  /** Copies {@code length} bytes of {@code src}. */
  public abstract ByteBuf setBytes(int index, byte[] src, int srcIndex, int length);

  /** Copies what remains of {@code src}, which may be read-only (seed row B8). */
  public abstract ByteBuf setBytes(int index, ByteBuffer src);

  /** Reads up to {@code length} bytes from a stream; returns how many came, -1 at its end. */
  public abstract int setBytes(int index, InputStream in, int length) throws IOException;

  /** Reads up to {@code length} bytes from a channel; returns how many came, -1 if it is closed. */
  public abstract int setBytes(int index, ScatteringByteChannel in, int length) throws IOException;

  /**
   * Reads up to {@code length} bytes of a file at a position; returns how many came, -1 at its end.
   * The channel's own position stays (seed row B3).
   */
  public abstract int setBytes(int index, FileChannel in, long position, int length)
      throws IOException;

  /** Sets {@code length} bytes to 0. */
  public abstract ByteBuf setZero(int index, int length);

  /** Encodes {@code sequence}; returns how many bytes that took. */
  public abstract int setCharSequence(int index, CharSequence sequence, Charset charset);

  /** Reads a boolean: one byte, 0 is false, and moves on. */
  public boolean readBoolean() {
    return readByte() != 0;
  }

  /** Reads a byte, and moves on. */
  public abstract byte readByte();

  /** Reads an unsigned byte, and moves on. */
  public short readUnsignedByte() {
    return (short) (readByte() & 0xFF);
  }

  /** Reads a 16-bit integer, and moves on. */
  public abstract short readShort();

  /** Reads a 16-bit integer, little endian, and moves on. */
  public short readShortLE() {
    return Short.reverseBytes(bigEndian().readShort());
  }

  /** Reads an unsigned 16-bit integer, and moves on. */
  public int readUnsignedShort() {
    return readShort() & 0xFFFF;
  }

  /** Reads an unsigned 16-bit integer, little endian, and moves on. */
  public int readUnsignedShortLE() {
    return readShortLE() & 0xFFFF;
  }

  /** Reads a 24-bit integer, and moves on. */
  public int readMedium() {
    return readUnsignedMedium() << 8 >> 8;
  }

  /** Reads a 24-bit integer, little endian, and moves on. */
  public int readMediumLE() {
    return readUnsignedMediumLE() << 8 >> 8;
  }

  /** Reads an unsigned 24-bit integer, and moves on. */
  public abstract int readUnsignedMedium();

  /** Reads an unsigned 24-bit integer, little endian, and moves on. */
  public int readUnsignedMediumLE() {
    return Integer.reverseBytes(bigEndian().readUnsignedMedium()) >>> 8;
  }

  /** Reads a 32-bit integer, and moves on. */
  public abstract int readInt();

  /** Reads a 32-bit integer, little endian, and moves on. */
  public int readIntLE() {
    return Integer.reverseBytes(bigEndian().readInt());
  }

  /** Reads an unsigned 32-bit integer, and moves on. */
  public long readUnsignedInt() {
    return readInt() & 0xFFFFFFFFL;
  }

  /** Reads an unsigned 32-bit integer, little endian, and moves on. */
  public long readUnsignedIntLE() {
    return readIntLE() & 0xFFFFFFFFL;
  }

  /** Reads a 64-bit integer, and moves on. */
  public abstract long readLong();

  /** Reads a 64-bit integer, little endian, and moves on. */
  public long readLongLE() {
    return Long.reverseBytes(bigEndian().readLong());
  }

  /** Reads a UTF-16 unit, and moves on. */
  public char readChar() {
    return (char) readShort();
  }

  /** Reads a 32-bit floating point number, and moves on. */
  public float readFloat() {
    return Float.intBitsToFloat(readInt());
  }

  /** Reads a 32-bit floating point number, little endian, and moves on. */
  public float readFloatLE() {
    return Float.intBitsToFloat(readIntLE());
  }

  /** Reads a 64-bit floating point number, and moves on. */
  public double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  /** Reads a 64-bit floating point number, little endian, and moves on. */
  public double readDoubleLE() {
    return Double.longBitsToDouble(readLongLE());
  }

  /** Moves {@code length} bytes to a new buffer. */
  public abstract ByteBuf readBytes(int length);

  /** A slice of the next {@code length} bytes, sharing this buffer's count; moves on. */
  public abstract ByteBuf readSlice(int length);

  /** As {@link #readSlice}, and adds 1 to the count. */
  public abstract ByteBuf readRetainedSlice(int length);

  /** Moves as much as {@code dst} has room for. */
  public ByteBuf readBytes(ByteBuf dst) {
    return readBytes(dst, dst.writableBytes());
  }

  /** Moves {@code length} bytes to {@code dst}, and its writer index with them. */
  public abstract ByteBuf readBytes(ByteBuf dst, int length);

  /** Moves {@code length} bytes to {@code dst}, whose indices stay. */
  public abstract ByteBuf readBytes(ByteBuf dst, int dstIndex, int length);

  /** Fills {@code dst}. */
  public ByteBuf readBytes(byte[] dst) {
    return readBytes(dst, 0, dst.length);
  }

  /** Moves {@code length} bytes to {@code dst}. */
  public abstract ByteBuf readBytes(byte[] dst, int dstIndex, int length);

  /** Fills what remains of {@code dst}. */
  public abstract ByteBuf readBytes(ByteBuffer dst);

  /** Moves {@code length} bytes to a stream. */
  public abstract ByteBuf readBytes(OutputStream out, int length) throws IOException;

  /** Offers {@code length} bytes to a channel; returns how many it took, and moves by that. */
  public abstract int readBytes(GatheringByteChannel out, int length) throws IOException;

  /** Decodes the next {@code length} bytes, and moves on. */
  public abstract CharSequence readCharSequence(int length, Charset charset);

  /** As {@link #readBytes(GatheringByteChannel, int)}, at a position of a file. */
  public abstract int readBytes(FileChannel out, long position, int length) throws IOException;

  /** Moves on by {@code length} bytes. */
  public abstract ByteBuf skipBytes(int length);

  /** Appends a boolean: one byte, 1 or 0. */
  public ByteBuf writeBoolean(boolean value) {
    return writeByte(value ? 1 : 0);
  }

  /** Appends the low 8 bits of a value. */
  public abstract ByteBuf writeByte(int value);

  /** Appends the low 16 bits of a value. */
  public abstract ByteBuf writeShort(int value);

  /** Appends the low 16 bits of a value, little endian. */
  public ByteBuf writeShortLE(int value) {
    bigEndian().writeShort(Short.reverseBytes((short) value));
    return this;
  }

  /** Appends the low 24 bits of a value. */
  public abstract ByteBuf writeMedium(int value);

  /** Appends the low 24 bits of a value, little endian. */
  public ByteBuf writeMediumLE(int value) {
    bigEndian().writeMedium(Integer.reverseBytes(value) >>> 8);
    return this;
  }

  /** Appends a 32-bit integer. */
  public abstract ByteBuf writeInt(int value);

  /** Appends a 32-bit integer, little endian. */
  public ByteBuf writeIntLE(int value) {
    bigEndian().writeInt(Integer.reverseBytes(value));
    return this;
  }

  /** Appends a 64-bit integer. */
  public abstract ByteBuf writeLong(long value);

  /** Appends a 64-bit integer, little endian. */
  public ByteBuf writeLongLE(long value) {
    bigEndian().writeLong(Long.reverseBytes(value));
    return this;
  }

  /** Appends a UTF-16 unit. */
  public ByteBuf writeChar(int value) {
    return writeShort(value);
  }

  /** Appends a 32-bit floating point number. */
  public ByteBuf writeFloat(float value) {
    return writeInt(Float.floatToRawIntBits(value));
  }

  /** Appends a 32-bit floating point number, little endian. */
  public ByteBuf writeFloatLE(float value) {
    return writeIntLE(Float.floatToRawIntBits(value));
  }

  /** Appends a 64-bit floating point number. */
  public ByteBuf writeDouble(double value) {
    return writeLong(Double.doubleToRawLongBits(value));
  }

  /** Appends a 64-bit floating point number, little endian. */
  public ByteBuf writeDoubleLE(double value) {
    return writeLongLE(Double.doubleToRawLongBits(value));
  }

  /** Appends what {@code src} has to read, and moves its reader index. */
  public ByteBuf writeBytes(ByteBuf src) {
    return writeBytes(src, src.readableBytes());
  }

  /** Appends {@code length} bytes of {@code src}, and moves its reader index. */
  public abstract ByteBuf writeBytes(ByteBuf src, int length);

  /** Appends {@code length} bytes of {@code src}, whose indices stay. */
  public abstract ByteBuf writeBytes(ByteBuf src, int srcIndex, int length);

  /** Appends all of {@code src}. */
  public ByteBuf writeBytes(byte[] src) {
    return writeBytes(src, 0, src.length);
  }

  /** Appends {@code length} bytes of {@code src}. */
  public abstract ByteBuf writeBytes(byte[] src, int srcIndex, int length);

  /** Appends what remains of {@code src}. */
  public abstract ByteBuf writeBytes(ByteBuffer src);

  /** Appends up to {@code length} bytes of a stream; returns how many came, -1 at its end. */
  public abstract int writeBytes(InputStream in, int length) throws IOException;

  /** Appends up to {@code length} bytes of a channel; returns how many came, -1 if it is closed. */
  public abstract int writeBytes(ScatteringByteChannel in, int length) throws IOException;

  /** As {@link #writeBytes(ScatteringByteChannel, int)}, from a position of a file. */
  public abstract int writeBytes(FileChannel in, long position, int length) throws IOException;

  /** Appends {@code length} bytes of value 0. */
  public abstract ByteBuf writeZero(int length);

  /** Encodes and appends {@code sequence}; returns how many bytes that took. */
  public abstract int writeCharSequence(CharSequence sequence, Charset charset);

  /**
   * The first index of {@code value} from {@code fromIndex} up to before {@code toIndex}, or, if
   * {@code fromIndex} is the larger, the last one from before it down to {@code toIndex}; -1 if
   * there is none.
   */
  public abstract int indexOf(int fromIndex, int toIndex, byte value);

  /** Readable bytes before the first {@code value}, or -1. */
  public int bytesBefore(byte value) {
    return bytesBefore(readerIndex(), readableBytes(), value);
  }

  /** As {@link #bytesBefore(byte)}, among the next {@code length} readable bytes. */
  public abstract int bytesBefore(int length, byte value);

  /** As {@link #bytesBefore(byte)}, among {@code length} bytes from {@code index} on. */
  public int bytesBefore(int index, int length, byte value) {
    int found = indexOf(index, index + length, value);
    return found < 0 ? -1 : found - index;
  }

  /** The index at which {@code processor} stopped among the readable bytes, or -1. */
  public int forEachByte(ByteProcessor processor) {
    return forEachByte(readerIndex(), readableBytes(), processor);
  }

  /** The index at which {@code processor} stopped among {@code length} bytes, or -1. */
  public abstract int forEachByte(int index, int length, ByteProcessor processor);

  /** As {@link #forEachByte(ByteProcessor)}, from the end. */
  public int forEachByteDesc(ByteProcessor processor) {
    return forEachByteDesc(readerIndex(), readableBytes(), processor);
  }

  /** As {@link #forEachByte(int, int, ByteProcessor)}, from the end. */
  public abstract int forEachByteDesc(int index, int length, ByteProcessor processor);

  /** A new buffer with the readable bytes. */
  public ByteBuf copy() {
    return copy(readerIndex(), readableBytes());
  }

  /** A new buffer with {@code length} bytes from {@code index} on. */
  public abstract ByteBuf copy(int index, int length);

  /** A view of the readable bytes that shares memory and count (seed row C1). */
  public ByteBuf slice() {
    return slice(readerIndex(), readableBytes());
  }

  /** As {@link #slice()}, and adds 1 to the count (seed row C2). */
  public ByteBuf retainedSlice() {
    return retainedSlice(readerIndex(), readableBytes());
  }

  /** A view of {@code length} bytes from {@code index} on that shares memory and count. */
  public abstract ByteBuf slice(int index, int length);

  /** As {@link #slice(int, int)}, and adds 1 to the count. */
  public abstract ByteBuf retainedSlice(int index, int length);

  /** A view of the whole buffer with indices of its own that shares memory and count. */
  public abstract ByteBuf duplicate();

  /** As {@link #duplicate}, and adds 1 to the count. */
  public abstract ByteBuf retainedDuplicate();

  /** How many NIO buffers it takes to show the bytes, or -1 if that cannot be done. */
  public abstract int nioBufferCount();

  /** The readable bytes as a NIO buffer that shares the memory. */
  public ByteBuffer nioBuffer() {
    return nioBuffer(readerIndex(), readableBytes());
  }

  /** {@code length} bytes from {@code index} on as a NIO buffer that shares the memory. */
  public abstract ByteBuffer nioBuffer(int index, int length);

  /** As {@link #nioBuffer(int, int)}; the next call may hand out the same object again. */
  public abstract ByteBuffer internalNioBuffer(int index, int length);

  /** The readable bytes as NIO buffers. */
  public ByteBuffer[] nioBuffers() {
    return nioBuffers(readerIndex(), readableBytes());
  }

  /** {@code length} bytes from {@code index} on as NIO buffers. */
  public abstract ByteBuffer[] nioBuffers(int index, int length);

  /** True if {@link #array} works. */
  public abstract boolean hasArray();

  /**
   * The array that holds the bytes.
   *
   * @throws UnsupportedOperationException if they are elsewhere
   */
  public abstract byte[] array();

  /**
   * Where in {@link #array} index 0 is.
   *
   * @throws UnsupportedOperationException if there is no array
   */
  public abstract int arrayOffset();

  /** True if {@link #memoryAddress} works. */
  public abstract boolean hasMemoryAddress();

  /**
   * The native address of index 0.
   *
   * @throws UnsupportedOperationException if there is none
   */
  public abstract long memoryAddress();

  /** True if the bytes are one piece of memory. */
  public boolean isContiguous() {
    return false;
  }

  @Override
  public ByteBuf asByteBuf() {
    return this;
  }

  /** Decodes the readable bytes. */
  public String toString(Charset charset) {
    return toString(readerIndex(), readableBytes(), charset);
  }

  /** Decodes {@code length} bytes from {@code index} on. */
  public abstract String toString(int index, int length, Charset charset);

  /** A hash of the readable bytes. */
  @Override
  public abstract int hashCode();

  /** True for a buffer with the same readable bytes, whatever its kind. */
  @Override
  public abstract boolean equals(@Nullable Object other);

  /** Orders by the readable bytes, unsigned, the shorter one first where one begins the other. */
  @Override
  public abstract int compareTo(ByteBuf buffer);

  /** Kind, indices and capacity; never throws (seed row B7). */
  @Override
  public abstract String toString();

  @Override
  public abstract ByteBuf retain(int increment);

  @Override
  public abstract ByteBuf retain();

  @Override
  public abstract ByteBuf touch();

  @Override
  public abstract ByteBuf touch(@Nullable Object hint);

  /** Returns this buffer, or the buffer that this one shows in little-endian order. */
  ByteBuf bigEndian() {
    return this;
  }
}
