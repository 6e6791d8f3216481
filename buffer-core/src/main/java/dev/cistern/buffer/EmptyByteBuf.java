/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.NioMemory;
import dev.cistern.memory.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A buffer without bytes, which any number of threads can share. It cannot grow, and it is never
 * released. It has an array, a NIO buffer and a memory address.
 */
public final class EmptyByteBuf extends ForwardingByteBuf {
  private static final byte[] NOTHING = {};
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

  private final ByteOrder order;

  /**
   * @param alloc the result of {@link #alloc}
   */
  public EmptyByteBuf(ByteBufAllocator alloc) {
    this(Objects.requireNonNull(alloc, "alloc"), ByteOrder.BIG_ENDIAN);
  }

  private EmptyByteBuf(ByteBufAllocator alloc, ByteOrder order) {
    super(new Shared(alloc));
    this.order = order;
  }

  /** A buffer that ignores retain and release, also through views and wrappers. */
  private static final class Shared extends UnpooledByteBuf {
    Shared(ByteBufAllocator alloc) {
      super(alloc, Region.of(NOTHING), 0);
    }

    @Override
    public ByteBuf retain() {
      return this;
    }

    @Override
    public ByteBuf retain(int increment) {
      return this;
    }

    @Override
    public boolean release() {
      return false;
    }

    @Override
    public boolean release(int decrement) {
      return false;
    }
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
  @SuppressWarnings("deprecation") // the read-only view has this one's order
  public ByteBuf asReadOnly() {
    return target.asReadOnly().order(order);
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

  /** Returns false for all sizes. */
  @Override
  public boolean isReadable(int size) {
    return false;
  }

  /** Returns false for all sizes. */
  @Override
  public boolean isWritable(int size) {
    return false;
  }

  /** Refuses every change, because this buffer is shared. */
  @Override
  public ByteBuf capacity(int newCapacity) {
    throw new ReadOnlyBufferException();
  }

  /** Returns null, as Netty's empty buffer does. */
  @Override
  @SuppressWarnings("NullAway")
  public CharSequence getCharSequence(int index, int length, Charset charset) {
    target.getCharSequence(index, length, charset);
    return null;
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
    return NioMemory.start(NO_BYTES);
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    return internalNioBuffer(index, length).duplicate(); // the caller may change its mark and order
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    target.nioBuffer(index, length);
    return NO_BYTES;
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + (order == ByteOrder.BIG_ENDIAN ? "BE" : "LE");
  }
}
