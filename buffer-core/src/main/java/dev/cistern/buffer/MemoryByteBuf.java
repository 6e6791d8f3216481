/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static dev.cistern.buffer.Checks.CHECK_ACCESSIBLE;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemoryNumbers;
import dev.cistern.memory.MemorySearch;
import dev.cistern.util.ByteProcessor;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer over one piece of memory, heap or native: the base array or null, and the address of
 * index 0. Both kinds use the same code.
 */
abstract class MemoryByteBuf extends AbstractReferenceCountedByteBuf {
  private static final int RELEASED = -1;

  /** The array, or null for native memory. */
  byte @Nullable [] base;

  /** The address of index 0. */
  long address;

  /** The capacity, which keeps its value after the last release. */
  private int capacity;

  /** The capacity, or -1 after the last release. */
  private int limit;

  /**
   * The NIO buffer of the memory, created on first use. Threads that read the buffer also write
   * this field; all values are equal.
   */
  private @Nullable ByteBuffer internalView;

  MemoryByteBuf(int maxCapacity) {
    super(maxCapacity);
  }

  /** Moves this buffer to other memory. */
  final void place(byte @Nullable [] newBase, long newAddress) {
    base = newBase;
    address = newAddress;
    internalView = null;
  }

  /** Sets the capacity, and makes the bytes accessible. */
  final void open(int newCapacity) {
    capacity = newCapacity;
    limit = newCapacity;
  }

  /** Refuses access from now on. */
  final void close() {
    if (CHECK_ACCESSIBLE) {
      limit = RELEASED;
    }
  }

  @Override
  final MemoryByteBuf memory() {
    return this;
  }

  /**
   * Returns all of the memory as a NIO buffer, which no caller of the buffer gets. Index 0 is at
   * position 0.
   */
  abstract ByteBuffer nioView();

  @Override
  final int liveCapacity() {
    return limit;
  }

  @Override
  final int writableCapacity() {
    return limit;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean isDirect() {
    return base == null;
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public boolean hasArray() {
    return base != null;
  }

  @Override
  public byte[] array() {
    ensureAccessible();
    byte[] array = base;
    if (array == null) {
      throw new UnsupportedOperationException("a direct buffer has no array");
    }
    return array;
  }

  @Override
  public int arrayOffset() {
    array(); // fails if there is none
    return (int) (address - MemoryAccess.BYTE_ARRAY_OFFSET);
  }

  @Override
  public boolean hasMemoryAddress() {
    return base == null;
  }

  @Override
  public long memoryAddress() {
    ensureAccessible();
    if (base != null) {
      throw new UnsupportedOperationException("a heap buffer has no memory address");
    }
    return address;
  }

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    check(index, length);
    return nioView().slice(index, length);
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    check(index, length);
    ByteBuffer view = internalView;
    if (view == null) {
      view = nioView().duplicate();
      internalView = view;
    }
    return view.clear().position(index).limit(index + length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public ByteBuf copy(int index, int length) {
    check(index, length);
    ByteBuf copy =
        isDirect()
            ? alloc().directBuffer(length, maxCapacity())
            : alloc().heapBuffer(length, maxCapacity());
    return copied(copy, index, length);
  }

  // Numbers

  @Override
  protected byte _getByte(int index) {
    return MemoryNumbers.getByte(base, address + index);
  }

  @Override
  protected short _getShort(int index) {
    return MemoryNumbers.getShort(base, address + index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return MemoryNumbers.getUnsignedMedium(base, address + index);
  }

  @Override
  protected int _getInt(int index) {
    return MemoryNumbers.getInt(base, address + index);
  }

  @Override
  protected long _getLong(int index) {
    return MemoryNumbers.getLong(base, address + index);
  }

  @Override
  protected void _setByte(int index, int value) {
    MemoryNumbers.setByte(base, address + index, value);
  }

  @Override
  protected void _setShort(int index, int value) {
    MemoryNumbers.setShort(base, address + index, value);
  }

  @Override
  protected void _setMedium(int index, int value) {
    MemoryNumbers.setMedium(base, address + index, value);
  }

  @Override
  protected void _setInt(int index, int value) {
    MemoryNumbers.setInt(base, address + index, value);
  }

  @Override
  protected void _setLong(int index, long value) {
    MemoryNumbers.setLong(base, address + index, value);
  }

  // Little endian: to reverse a number twice would take twice the time of an access

  @Override
  protected short _getShortLE(int index) {
    return MemoryNumbers.getShortLE(base, address + index);
  }

  @Override
  protected int _getIntLE(int index) {
    return MemoryNumbers.getIntLE(base, address + index);
  }

  @Override
  protected long _getLongLE(int index) {
    return MemoryNumbers.getLongLE(base, address + index);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    MemoryNumbers.setShortLE(base, address + index, value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    MemoryNumbers.setIntLE(base, address + index, value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    MemoryNumbers.setLongLE(base, address + index, value);
  }

  // Bytes in bulk

  @Override
  final void copyOut(int index, byte @Nullable [] toBase, long toAddress, int length) {
    MemoryAccess.copy(base, address + index, toBase, toAddress, length);
  }

  @Override
  final void copyIn(int index, byte @Nullable [] fromBase, long fromAddress, int length) {
    MemoryAccess.copy(fromBase, fromAddress, base, address + index, length);
  }

  @Override
  final void copyTo(int index, AbstractByteBuf target, int targetIndex, int length) {
    target.copyFrom(targetIndex, this, index, length);
  }

  @Override
  final void copyFrom(int index, MemoryByteBuf source, int sourceIndex, int length) {
    MemoryAccess.copy(source.base, source.address + sourceIndex, base, address + index, length);
  }

  @Override
  final void fillZero(int index, int length) {
    MemoryAccess.clear(base, address + index, length);
  }

  @Override
  final int firstIndexOf(int from, int to, byte value) {
    return MemorySearch.first(base, address, from, to, value);
  }

  @Override
  final int lastIndexOf(int from, int to, byte value) {
    return MemorySearch.last(base, address, from, to, value);
  }

  // As in the superclass, but here the compiler knows the memory. One comparison checks each byte,
  // because the processor may shrink or release the buffer.

  @Override
  final int forEachByteAsc0(int start, int end, ByteProcessor processor) throws Exception {
    for (int i = start; i < end; i++) {
      if (i >= limit) {
        check(i, 1);
      }
      if (!processor.process(_getByte(i))) {
        return i;
      }
    }
    return -1;
  }

  @Override
  final int forEachByteDesc0(int rStart, int rEnd, ByteProcessor processor) throws Exception {
    for (int i = rStart; i >= rEnd; i--) {
      if (i >= limit) {
        check(i, 1);
      }
      if (!processor.process(_getByte(i))) {
        return i;
      }
    }
    return -1;
  }
}
