/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.pool.SlotGroup;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;

/** A buffer over a part of an array. */
final class HeapBridgeBuf extends BridgeBuf {
  private byte[] array;

  HeapBridgeBuf(SlotGroup group, int index) {
    super(group, index);
    array = arrayOf(group);
  }

  @Override
  void rebind(SlotGroup newGroup, int newIndex) {
    super.rebind(newGroup, newIndex);
    array = arrayOf(newGroup);
  }

  private static byte[] arrayOf(SlotGroup group) {
    byte[] array = group.base();
    if (array == null) {
      throw new IllegalStateException("a heap slot without an array");
    }
    return array;
  }

  @Override
  byte[] base() {
    return array;
  }

  @Override
  BridgePool pool() {
    return Pools.HEAP;
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public boolean hasArray() {
    return true;
  }

  @Override
  public byte[] array() {
    ensureAccessible();
    return array;
  }

  @Override
  public int arrayOffset() {
    return arrayIndex(0);
  }

  @Override
  public boolean hasMemoryAddress() {
    return false;
  }

  @Override
  public long memoryAddress() {
    throw new UnsupportedOperationException("heap buffer");
  }

  @Override
  public ByteBuf copy(int from, int length) {
    checkIndex(from, length);
    ByteBuf copy = alloc().heapBuffer(length, maxCapacity());
    return copy.writeBytes(this, from, length);
  }

  @Override
  public ByteBuf getBytes(int from, OutputStream out, int length) throws IOException {
    checkIndex(from, length);
    out.write(array, arrayIndex(from), length);
    return this;
  }

  // ---- single values, bounds checked by the callers ----

  @Override
  protected short _getShort(int at) {
    return Order.big(MemoryAccess.getShort(array, address + at));
  }

  @Override
  protected short _getShortLE(int at) {
    return Order.little(MemoryAccess.getShort(array, address + at));
  }

  @Override
  protected int _getInt(int at) {
    return Order.big(MemoryAccess.getInt(array, address + at));
  }

  @Override
  protected int _getIntLE(int at) {
    return Order.little(MemoryAccess.getInt(array, address + at));
  }

  @Override
  protected long _getLong(int at) {
    return Order.big(MemoryAccess.getLong(array, address + at));
  }

  @Override
  protected long _getLongLE(int at) {
    return Order.little(MemoryAccess.getLong(array, address + at));
  }

  @Override
  protected void _setShort(int at, int value) {
    MemoryAccess.putShort(array, address + at, Order.big((short) value));
  }

  @Override
  protected void _setShortLE(int at, int value) {
    MemoryAccess.putShort(array, address + at, Order.little((short) value));
  }

  @Override
  protected void _setInt(int at, int value) {
    MemoryAccess.putInt(array, address + at, Order.big(value));
  }

  @Override
  protected void _setIntLE(int at, int value) {
    MemoryAccess.putInt(array, address + at, Order.little(value));
  }

  @Override
  protected void _setLong(int at, long value) {
    MemoryAccess.putLong(array, address + at, Order.big(value));
  }

  @Override
  protected void _setLongLE(int at, long value) {
    MemoryAccess.putLong(array, address + at, Order.little(value));
  }

  @Override
  protected byte _getByte(int at) {
    return MemoryAccess.getByte(array, address + at);
  }

  @Override
  protected void _setByte(int at, int value) {
    MemoryAccess.putByte(array, address + at, (byte) value);
  }

  @Override
  protected int _getUnsignedMedium(int at) {
    return ((_getByte(at) & 0xff) << 16) | (_getShort(at + 1) & 0xffff);
  }

  @Override
  protected int _getUnsignedMediumLE(int at) {
    return (_getByte(at) & 0xff) | ((_getShortLE(at + 1) & 0xffff) << 8);
  }

  @Override
  protected void _setMedium(int at, int value) {
    _setByte(at, value >>> 16);
    _setShort(at + 1, value);
  }

  @Override
  protected void _setMediumLE(int at, int value) {
    _setByte(at, value);
    _setShortLE(at + 1, value >>> 8);
  }
}
