/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryNumbers;
import dev.cistern.pool.SlotGroup;
import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Netty's {@code ByteBuf} over a slot of a pool: the access to its bytes. Heap and native memory
 * use the same code, as in the library's own buffers (docs/internals/decisions/0006).
 */
public final class CisternByteBuf extends SlotByteBuf {
  private static final int STREAM_COPY_BYTES = 8192;

  CisternByteBuf(SlotGroup group, int index) {
    super(group, index);
  }

  @Override
  CisternByteBuf self() {
    return this;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's, and every buffer has it
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public boolean isDirect() {
    return base == null;
  }

  @Override
  public boolean hasArray() {
    return base != null;
  }

  @Override
  public byte[] array() {
    byte[] array = base;
    if (array == null) {
      throw new UnsupportedOperationException("direct buffer");
    }
    ensureAccessible();
    return array;
  }

  @Override
  public int arrayOffset() {
    if (base == null) {
      throw new UnsupportedOperationException("direct buffer");
    }
    return arrayIndex(0);
  }

  @Override
  public boolean hasMemoryAddress() {
    return NettyFeatures.MEMORY_ADDRESS && base == null;
  }

  @Override
  public long memoryAddress() {
    if (!hasMemoryAddress()) {
      throw new UnsupportedOperationException(
          base == null ? "this Netty runs without memory addresses" : "heap buffer");
    }
    ensureAccessible();
    return address;
  }

  @Override
  public ByteBuf copy(int from, int length) {
    checkIndex(from, length);
    ByteBuf copy =
        base == null
            ? alloc().directBuffer(length, maxCapacity())
            : alloc().heapBuffer(length, maxCapacity());
    return copy.writeBytes(this, from, length);
  }

  // ---- bulk, other buffers and arrays ----

  @Override
  public ByteBuf getBytes(int from, ByteBuf target, int targetIndex, int length) {
    checkDstIndex(from, length, targetIndex, target.capacity());
    if (target.hasMemoryAddress()) {
      copyOut(from, null, target.memoryAddress() + targetIndex, length);
    } else if (target.hasArray()) {
      copyOut(from, target.array(), arrayAddress(target.arrayOffset() + targetIndex), length);
    } else if (target.nioBufferCount() == 1) {
      // avoids endless recursion between two such buffers without addresses
      getBytes(from, target.nioBuffer(targetIndex, length));
    } else {
      target.setBytes(targetIndex, this, from, length);
    }
    return this;
  }

  @Override
  public ByteBuf getBytes(int from, byte[] target, int targetIndex, int length) {
    checkDstIndex(from, length, targetIndex, target.length);
    copyOut(from, target, arrayAddress(targetIndex), length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int from, ByteBuffer target) {
    int length = target.remaining();
    checkIndex(from, length);
    if (length == 0) {
      return this; // also into a read-only buffer
    }
    int position = target.position();
    target.put(position, regionView, offset + from, length);
    target.position(position + length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int to, ByteBuf source, int sourceIndex, int length) {
    checkSrcIndex(to, length, sourceIndex, source.capacity());
    if (length == 0) {
      return this;
    }
    if (source.hasMemoryAddress()) {
      copyIn(to, null, source.memoryAddress() + sourceIndex, length);
    } else if (source.hasArray()) {
      copyIn(to, source.array(), arrayAddress(source.arrayOffset() + sourceIndex), length);
    } else if (source.nioBufferCount() == 1) {
      setBytes(to, source.nioBuffer(sourceIndex, length));
    } else {
      source.getBytes(sourceIndex, this, to, length);
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int to, byte[] source, int sourceIndex, int length) {
    checkSrcIndex(to, length, sourceIndex, source.length);
    copyIn(to, source, arrayAddress(sourceIndex), length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int to, ByteBuffer source) {
    int length = source.remaining();
    if (length == 0 && hasMemoryAddress()) {
      return this; // as in Netty's buffers with an address, which do not check the index here
    }
    checkIndex(to, length);
    int position = source.position();
    regionView.put(offset + to, source, position, length);
    source.position(position + length);
    return this;
  }

  @Override
  public ByteBuf setZero(int to, int length) {
    checkIndex(to, length);
    MemoryAccess.fill(base, address + to, length, (byte) 0);
    return this;
  }

  @Override
  public ByteBuf writeZero(int length) {
    ensureWritable(length);
    int to = writerIndex();
    setZero(to, length);
    writerIndex(to + length);
    return this;
  }

  private void copyOut(int from, byte @Nullable [] target, long targetAddress, int length) {
    MemoryAccess.copy(base, address + from, target, targetAddress, length);
  }

  private void copyIn(int to, byte @Nullable [] source, long sourceAddress, int length) {
    MemoryAccess.copy(source, sourceAddress, base, address + to, length);
  }

  private static long arrayAddress(int index) {
    return MemoryAccess.BYTE_ARRAY_OFFSET + index;
  }

  // ---- streams and channels ----

  @Override
  public ByteBuf getBytes(int from, OutputStream out, int length) throws IOException {
    checkIndex(from, length);
    byte[] array = base;
    if (array != null) {
      out.write(array, arrayIndex(from), length);
      return this;
    }
    byte[] copy = PlatformDependent.allocateUninitializedArray(Math.min(length, STREAM_COPY_BYTES));
    for (int done = 0; done < length; ) {
      int bytes = Math.min(copy.length, length - done);
      getBytes(from + done, copy, 0, bytes);
      out.write(copy, 0, bytes);
      done += bytes;
    }
    return this;
  }

  @Override
  public int setBytes(int to, InputStream in, int length) throws IOException {
    checkIndex(to, length);
    byte[] array = base;
    if (array != null) {
      return in.read(array, arrayIndex(to), length);
    }
    byte[] copy = PlatformDependent.allocateUninitializedArray(length);
    int read = in.read(copy, 0, length);
    if (read > 0) {
      setBytes(to, copy, 0, read);
    }
    return read;
  }

  /** Returns the index of byte {@code at} in the array. */
  private int arrayIndex(int at) {
    return (int) (address - MemoryAccess.BYTE_ARRAY_OFFSET) + at;
  }

  @Override
  public int getBytes(int from, GatheringByteChannel out, int length) throws IOException {
    checkIndex(from, length);
    return out.write(freshView(from, length));
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    checkReadableBytes(length);
    int from = readerIndex();
    int read = out.write(movedView(from, length));
    readerIndex(from + read);
    return read;
  }

  @Override
  public int getBytes(int from, FileChannel out, long position, int length) throws IOException {
    checkIndex(from, length);
    return out.write(freshView(from, length), position);
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    checkReadableBytes(length);
    int from = readerIndex();
    int read = out.write(movedView(from, length), position);
    readerIndex(from + read);
    return read;
  }

  @Override
  public int setBytes(int to, ScatteringByteChannel in, int length) throws IOException {
    checkIndex(to, length);
    try {
      return in.read(movedView(to, length));
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  @Override
  public int setBytes(int to, FileChannel in, long position, int length) throws IOException {
    checkIndex(to, length);
    try {
      return in.read(movedView(to, length), position);
    } catch (ClosedChannelException closed) {
      return -1;
    }
  }

  // ---- single values; the callers check the bounds ----

  @Override
  protected byte _getByte(int at) {
    return MemoryNumbers.getByte(base, address + at);
  }

  @Override
  protected short _getShort(int at) {
    return MemoryNumbers.getShort(base, address + at);
  }

  @Override
  protected short _getShortLE(int at) {
    return MemoryNumbers.getShortLE(base, address + at);
  }

  @Override
  protected int _getUnsignedMedium(int at) {
    return MemoryNumbers.getUnsignedMedium(base, address + at);
  }

  @Override
  protected int _getUnsignedMediumLE(int at) {
    return MemoryNumbers.getUnsignedMediumLE(base, address + at);
  }

  @Override
  protected int _getInt(int at) {
    return MemoryNumbers.getInt(base, address + at);
  }

  @Override
  protected int _getIntLE(int at) {
    return MemoryNumbers.getIntLE(base, address + at);
  }

  @Override
  protected long _getLong(int at) {
    return MemoryNumbers.getLong(base, address + at);
  }

  @Override
  protected long _getLongLE(int at) {
    return MemoryNumbers.getLongLE(base, address + at);
  }

  @Override
  protected void _setByte(int at, int value) {
    MemoryNumbers.setByte(base, address + at, value);
  }

  @Override
  protected void _setShort(int at, int value) {
    MemoryNumbers.setShort(base, address + at, value);
  }

  @Override
  protected void _setShortLE(int at, int value) {
    MemoryNumbers.setShortLE(base, address + at, value);
  }

  @Override
  protected void _setMedium(int at, int value) {
    MemoryNumbers.setMedium(base, address + at, value);
  }

  @Override
  protected void _setMediumLE(int at, int value) {
    MemoryNumbers.setMediumLE(base, address + at, value);
  }

  @Override
  protected void _setInt(int at, int value) {
    MemoryNumbers.setInt(base, address + at, value);
  }

  @Override
  protected void _setIntLE(int at, int value) {
    MemoryNumbers.setIntLE(base, address + at, value);
  }

  @Override
  protected void _setLong(int at, long value) {
    MemoryNumbers.setLong(base, address + at, value);
  }

  @Override
  protected void _setLongLE(int at, long value) {
    MemoryNumbers.setLongLE(base, address + at, value);
  }
}
