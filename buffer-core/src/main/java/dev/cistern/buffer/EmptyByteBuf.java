/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.GivenMemory;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryAccess;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A buffer without a byte, that all who need one may share: it cannot grow, and it is never
 * released. It has an array, a NIO buffer and a memory address, whichever its user asks for (seed
 * row C5).
 */
public final class EmptyByteBuf extends UnreleasableByteBuf {
  private static final byte[] NOTHING = {};
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);
  private static final HeapMemorySource NONE = new HeapMemorySource();

  private final ByteOrder order;

  /**
   * @param alloc what {@link #alloc} says
   */
  public EmptyByteBuf(ByteBufAllocator alloc) {
    this(Objects.requireNonNull(alloc, "alloc"), ByteOrder.BIG_ENDIAN);
  }

  private EmptyByteBuf(ByteBufAllocator alloc, ByteOrder order) {
    super(new UnpooledByteBuf(alloc, NONE, GivenMemory.of(NOTHING), 0));
    this.order = order;
  }

  @Override
  ByteBuf derived(ByteBuf view) {
    return this;
  }

  @Override
  ByteBuf copied(ByteBuf copy) {
    copy.release();
    return this;
  }

  @Override
  public ByteBuf asReadOnly() {
    return new UnreleasableByteBuf(target.asReadOnly());
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public ByteOrder order() {
    return order;
  }

  @Override
  public ByteBuf order(ByteOrder endianness) {
    return Objects.requireNonNull(endianness, "endianness") == order
        ? this
        : new EmptyByteBuf(alloc(), endianness);
  }

  /** False for all sizes. */
  @Override
  public boolean isReadable(int size) {
    return false;
  }

  /** False for all sizes. */
  @Override
  public boolean isWritable(int size) {
    return false;
  }

  /** Always refused: others share this buffer. */
  @Override
  public ByteBuf capacity(int newCapacity) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean hasMemoryAddress() {
    return true;
  }

  @Override
  public long memoryAddress() {
    return MemoryAccess.address(NO_BYTES);
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    target.nioBuffer(index, length);
    return NO_BYTES;
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
  public String toString() {
    return getClass().getSimpleName() + (order == ByteOrder.BIG_ENDIAN ? "BE" : "LE");
  }

  // Nothing is read or written: these fail with no IOException.

  private void checkNothing(int index, int length) {
    target.slice(index, length);
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) {
    checkNothing(index, length);
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) {
    checkNothing(index, length);
    return 0;
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) {
    checkNothing(index, length);
    return 0;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) {
    checkNothing(index, length);
    return 0;
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) {
    checkNothing(index, length);
    return 0;
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) {
    checkNothing(index, length);
    return 0;
  }

  @Override
  public ByteBuf readBytes(OutputStream out, int length) {
    skipBytes(length);
    return this;
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) {
    skipBytes(length);
    return 0;
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) {
    skipBytes(length);
    return 0;
  }

  @Override
  public int writeBytes(InputStream in, int length) {
    ensureWritable(length);
    return 0;
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) {
    ensureWritable(length);
    return 0;
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) {
    ensureWritable(length);
    return 0;
  }
}
