/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.pool.SlotGroup;
import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A buffer over native memory. */
final class DirectBridgeBuf extends BridgeBuf {
  private static final int STREAM_COPY_BYTES = 8192;

  DirectBridgeBuf(SlotGroup group, int index) {
    super(group, index);
  }

  @Override
  byte @Nullable [] base() {
    return null;
  }

  @Override
  BridgePool pool() {
    return Pools.DIRECT;
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public byte[] array() {
    throw new UnsupportedOperationException("direct buffer");
  }

  @Override
  public int arrayOffset() {
    throw new UnsupportedOperationException("direct buffer");
  }

  @Override
  public boolean hasMemoryAddress() {
    return HostFeatures.MEMORY_ADDRESS;
  }

  @Override
  public long memoryAddress() {
    if (!HostFeatures.MEMORY_ADDRESS) {
      throw new UnsupportedOperationException("this Netty runs without memory addresses");
    }
    ensureAccessible();
    return address;
  }

  @Override
  public ByteBuf copy(int from, int length) {
    checkIndex(from, length);
    ByteBuf copy = alloc().directBuffer(length, maxCapacity());
    return copy.writeBytes(this, from, length);
  }

  @Override
  public ByteBuf getBytes(int from, OutputStream out, int length) throws IOException {
    checkIndex(from, length);
    byte[] copy = PlatformDependent.allocateUninitializedArray(Math.min(length, STREAM_COPY_BYTES));
    for (int done = 0; done < length; ) {
      int bytes = Math.min(copy.length, length - done);
      getBytes(from + done, copy, 0, bytes);
      out.write(copy, 0, bytes);
      done += bytes;
    }
    return this;
  }

  // ---- single values, bounds checked by the callers ----

  @Override
  protected short _getShort(int at) {
    return Order.big(MemoryAccess.getShort(null, address + at));
  }

  @Override
  protected short _getShortLE(int at) {
    return Order.little(MemoryAccess.getShort(null, address + at));
  }

  @Override
  protected int _getInt(int at) {
    return Order.big(MemoryAccess.getInt(null, address + at));
  }

  @Override
  protected int _getIntLE(int at) {
    return Order.little(MemoryAccess.getInt(null, address + at));
  }

  @Override
  protected long _getLong(int at) {
    return Order.big(MemoryAccess.getLong(null, address + at));
  }

  @Override
  protected long _getLongLE(int at) {
    return Order.little(MemoryAccess.getLong(null, address + at));
  }

  @Override
  protected void _setShort(int at, int value) {
    MemoryAccess.putShort(null, address + at, Order.big((short) value));
  }

  @Override
  protected void _setShortLE(int at, int value) {
    MemoryAccess.putShort(null, address + at, Order.little((short) value));
  }

  @Override
  protected void _setInt(int at, int value) {
    MemoryAccess.putInt(null, address + at, Order.big(value));
  }

  @Override
  protected void _setIntLE(int at, int value) {
    MemoryAccess.putInt(null, address + at, Order.little(value));
  }

  @Override
  protected void _setLong(int at, long value) {
    MemoryAccess.putLong(null, address + at, Order.big(value));
  }

  @Override
  protected void _setLongLE(int at, long value) {
    MemoryAccess.putLong(null, address + at, Order.little(value));
  }

  @Override
  protected byte _getByte(int at) {
    return MemoryAccess.getByte(null, address + at);
  }

  @Override
  protected void _setByte(int at, int value) {
    MemoryAccess.putByte(null, address + at, (byte) value);
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
