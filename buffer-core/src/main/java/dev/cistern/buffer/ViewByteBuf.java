/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemoryNumbers;
import dev.cistern.util.ByteProcessor;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A slice or a duplicate: part or all of a root, with its own indices. It shares the root's bytes
 * and reference count. Nested views refer to the root, not to each other. All views of a read-only
 * view are read-only.
 */
final class ViewByteBuf extends AbstractByteBuf {
  /**
   * The length of a duplicate, which always has the capacity of its root, even after the root has
   * grown.
   */
  private static final int AS_ROOT = Integer.MAX_VALUE;

  final AbstractByteBuf root;

  /** The root if it is one piece of memory, so that an access needs no virtual call, or null. */
  private final @Nullable MemoryByteBuf memory;

  /** The index in the root of this view's index 0. */
  final int offset;

  private final int length;
  private final boolean readOnly;

  /**
   * The index in the root after the last byte of a slice; for a duplicate, a number above any
   * capacity.
   */
  private final int end;

  private ViewByteBuf(
      AbstractByteBuf root, int offset, int length, int maxCapacity, boolean readOnly) {
    super(maxCapacity);
    this.root = root;
    this.memory = root instanceof MemoryByteBuf piece ? piece : null;
    this.offset = offset;
    this.length = length;
    this.end = length == AS_ROOT ? length : offset + length;
    this.readOnly = readOnly;
  }

  /**
   * Returns a view of {@code length} bytes, all of them readable; the caller has checked the range.
   */
  static ViewByteBuf slice(AbstractByteBuf parent, int index, int length) {
    ViewByteBuf slice =
        parent instanceof ViewByteBuf view
            ? new ViewByteBuf(view.root, view.offset + index, length, length, view.readOnly)
            : new ViewByteBuf(parent, index, length, length, false);
    slice.writerIndex(length);
    return slice;
  }

  /** Returns a view of all of {@code parent}, which starts with the indices of {@code parent}. */
  static ViewByteBuf whole(AbstractByteBuf parent, boolean readOnly) {
    parent.ensureAccessible();
    int maxCapacity = parent.maxCapacity();
    ViewByteBuf whole =
        parent instanceof ViewByteBuf view
            ? new ViewByteBuf(
                view.root, view.offset, view.length, maxCapacity, readOnly || view.readOnly)
            : new ViewByteBuf(parent, 0, AS_ROOT, maxCapacity, readOnly);
    whole.setIndex(parent.readerIndex(), parent.writerIndex());
    if (!whole.isSlice() && !whole.readOnly) {
      whole.markReaderIndex().markWriterIndex(); // the parent's marks are not copied
    }
    return whole;
  }

  private boolean isSlice() {
    return length != AS_ROOT;
  }

  /**
   * Returns the capacity, or -1 after the last release. If the root has shrunk, the bytes that it
   * lost are out of bounds here, too. This method and those that it calls have up to 35 bytes of
   * code each: the compiler inlines a larger method only if the profile of its caller says that the
   * call is hot, and a profile can miss that.
   */
  @Override
  int liveCapacity() {
    int live = rootCapacity();
    return live >= end ? length : partCapacity(live);
  }

  private int rootCapacity() {
    return memory != null ? memory.liveCapacity() : root.liveCapacity();
  }

  private int partCapacity(int live) {
    return Math.max(-1, Math.min(length, live - offset));
  }

  @Override
  int writableCapacity() {
    if (readOnly) {
      return -1;
    }
    return memory != null ? liveCapacity() : writablePart();
  }

  private int writablePart() {
    return Math.max(-1, Math.min(length, root.writableCapacity() - offset));
  }

  /**
   * Returns whether the bytes can be written without growth; false if the root has lost them. The
   * release of the buffer does not change the result.
   */
  @Override
  public boolean isWritable(int size) {
    return super.isWritable(size) && (writableCapacity() - writerIndex() >= size || refCnt() == 0);
  }

  @Override
  public boolean isReadOnly() {
    return readOnly || root.isReadOnly();
  }

  @Override
  public int capacity() {
    return isSlice() ? length : root.capacity();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    refuseReadOnly();
    ensureAccessible();
    if (isSlice()) {
      throw new UnsupportedOperationException("the capacity of a slice is fixed: " + length);
    }
    root.capacity(newCapacity);
    trimIndicesToCapacity(newCapacity);
    return this;
  }

  @Override
  public int maxCapacity() {
    return isSlice() ? length : root.maxCapacity();
  }

  @Override
  public int maxFastWritableBytes() {
    return isSlice() || readOnly
        ? writableBytes()
        : root.maxFastWritableBytes() + root.writerIndex() - writerIndex();
  }

  /** Returns 1 for a read-only view, for any size and even after the release, as Netty does. */
  @Override
  public int ensureWritable(int minWritableBytes, boolean force) {
    return readOnly ? 1 : super.ensureWritable(minWritableBytes, force);
  }

  @Override
  @Nullable MemoryByteBuf memory() {
    return root.memory();
  }

  @Override
  int memoryOffset() {
    return offset;
  }

  @Override
  public ByteBufAllocator alloc() {
    return root.alloc();
  }

  /**
   * Returns the root, or null if the root is over a read-only NIO buffer and so must not be written
   * either.
   */
  @Override
  public @Nullable ByteBuf unwrap() {
    return root instanceof UnpooledByteBuf given && given.nioView().isReadOnly() ? null : root;
  }

  @Override
  public boolean isDirect() {
    return root.isDirect();
  }

  @Override
  public boolean isContiguous() {
    return root.isContiguous();
  }

  @Override
  public boolean hasArray() {
    return !readOnly && root.hasArray();
  }

  @Override
  public byte[] array() {
    refuseReadOnly();
    return root.array();
  }

  @Override
  public int arrayOffset() {
    refuseReadOnly();
    return root.arrayOffset() + offset;
  }

  @Override
  public boolean hasMemoryAddress() {
    return root.hasMemoryAddress();
  }

  @Override
  public long memoryAddress() {
    return root.memoryAddress() + offset;
  }

  @Override
  public int nioBufferCount() {
    return root.nioBufferCount();
  }

  @Override
  public ByteBuffer nioBuffer(int index, int bytes) {
    check(index, bytes);
    return shown(root.nioBuffer(offset + index, bytes));
  }

  /** Returns a new NIO buffer, not the root's: several threads may use views. */
  @Override
  public ByteBuffer internalNioBuffer(int index, int bytes) {
    return nioBuffer(index, bytes);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int bytes) {
    check(index, bytes);
    return parts(index, bytes);
  }

  @Override
  ByteBuffer[] parts(int index, int bytes) {
    ByteBuffer[] buffers = root.parts(offset + index, bytes);
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = shown(buffers[i]);
    }
    return buffers;
  }

  private ByteBuffer shown(ByteBuffer buffer) {
    return readOnly ? buffer.asReadOnlyBuffer() : buffer;
  }

  @Override
  public ByteBuf copy(int index, int bytes) {
    check(index, bytes);
    return root.copy(offset + index, bytes);
  }

  @Override
  public int refCnt() {
    return root.refCnt();
  }

  @Override
  public ByteBuf retain() {
    root.retain();
    return this;
  }

  @Override
  public ByteBuf retain(int increment) {
    root.retain(increment);
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    root.touch(hint);
    return this;
  }

  @Override
  public boolean release() {
    return root.release();
  }

  @Override
  public boolean release(int decrement) {
    return root.release(decrement);
  }

  // Numbers. The address is a sum of longs, of which only the index changes in a loop.

  @Override
  protected byte _getByte(int index) {
    return memory == null
        ? root._getByte(offset + index)
        : MemoryNumbers.getByte(memory.base, memory.address + offset + index);
  }

  @Override
  protected short _getShort(int index) {
    return memory == null
        ? root._getShort(offset + index)
        : MemoryNumbers.getShort(memory.base, memory.address + offset + index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return memory == null
        ? root._getUnsignedMedium(offset + index)
        : MemoryNumbers.getUnsignedMedium(memory.base, memory.address + offset + index);
  }

  @Override
  protected int _getInt(int index) {
    return memory == null
        ? root._getInt(offset + index)
        : MemoryNumbers.getInt(memory.base, memory.address + offset + index);
  }

  @Override
  protected long _getLong(int index) {
    return memory == null
        ? root._getLong(offset + index)
        : MemoryNumbers.getLong(memory.base, memory.address + offset + index);
  }

  @Override
  protected void _setByte(int index, int value) {
    if (memory == null) {
      root._setByte(offset + index, value);
    } else {
      MemoryNumbers.setByte(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected void _setShort(int index, int value) {
    if (memory == null) {
      root._setShort(offset + index, value);
    } else {
      MemoryNumbers.setShort(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected void _setMedium(int index, int value) {
    if (memory == null) {
      root._setMedium(offset + index, value);
    } else {
      MemoryNumbers.setMedium(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected void _setInt(int index, int value) {
    if (memory == null) {
      root._setInt(offset + index, value);
    } else {
      MemoryNumbers.setInt(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected void _setLong(int index, long value) {
    if (memory == null) {
      root._setLong(offset + index, value);
    } else {
      MemoryNumbers.setLong(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected short _getShortLE(int index) {
    return memory == null
        ? root._getShortLE(offset + index)
        : MemoryNumbers.getShortLE(memory.base, memory.address + offset + index);
  }

  @Override
  protected int _getIntLE(int index) {
    return memory == null
        ? root._getIntLE(offset + index)
        : MemoryNumbers.getIntLE(memory.base, memory.address + offset + index);
  }

  @Override
  protected long _getLongLE(int index) {
    return memory == null
        ? root._getLongLE(offset + index)
        : MemoryNumbers.getLongLE(memory.base, memory.address + offset + index);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    if (memory == null) {
      root._setShortLE(offset + index, value);
    } else {
      MemoryNumbers.setShortLE(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected void _setIntLE(int index, int value) {
    if (memory == null) {
      root._setIntLE(offset + index, value);
    } else {
      MemoryNumbers.setIntLE(memory.base, memory.address + offset + index, value);
    }
  }

  @Override
  protected void _setLongLE(int index, long value) {
    if (memory == null) {
      root._setLongLE(offset + index, value);
    } else {
      MemoryNumbers.setLongLE(memory.base, memory.address + offset + index, value);
    }
  }

  // Bytes in bulk

  @Override
  void checkParts(int index, int bytes, boolean writes) {
    root.checkParts(offset + index, bytes, writes);
  }

  @Override
  void copyOut(int index, byte @Nullable [] base, long address, int bytes) {
    root.copyOut(offset + index, base, address, bytes);
  }

  @Override
  void copyIn(int index, byte @Nullable [] base, long address, int bytes) {
    root.copyIn(offset + index, base, address, bytes);
  }

  @Override
  void copyTo(int index, AbstractByteBuf target, int targetIndex, int bytes) {
    root.copyTo(offset + index, target, targetIndex, bytes);
  }

  @Override
  void copyFrom(int index, MemoryByteBuf source, int sourceIndex, int bytes) {
    root.copyFrom(offset + index, source, sourceIndex, bytes);
  }

  @Override
  void fillZero(int index, int bytes) {
    root.fillZero(offset + index, bytes);
  }

  @Override
  int forEachByteAsc0(int start, int end, ByteProcessor processor) throws Exception {
    return fromRoot(root.forEachByteAsc0(offset + start, offset + end, processor));
  }

  @Override
  int forEachByteDesc0(int rStart, int rEnd, ByteProcessor processor) throws Exception {
    return fromRoot(root.forEachByteDesc0(offset + rStart, offset + rEnd, processor));
  }

  @Override
  int firstIndexOf(int from, int to, byte value) {
    return fromRoot(root.firstIndexOf(offset + from, offset + to, value));
  }

  @Override
  int lastIndexOf(int from, int to, byte value) {
    return fromRoot(root.lastIndexOf(offset + from, offset + to, value));
  }

  private int fromRoot(int found) {
    return found < 0 ? -1 : found - offset;
  }
}
