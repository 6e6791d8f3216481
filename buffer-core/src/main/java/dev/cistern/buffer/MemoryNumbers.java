/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.memory.MemoryAccess;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Numbers at a base and an address, big endian, or little endian in methods that end in {@code LE}
 * (seed rows B2, B13). Nothing is checked.
 */
final class MemoryNumbers {
  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  private MemoryNumbers() {}

  static byte getByte(byte @Nullable [] base, long address) {
    return MemoryAccess.getByte(base, address);
  }

  static short getShort(byte @Nullable [] base, long address) {
    short value = MemoryAccess.getShort(base, address);
    return BIG_ENDIAN ? value : Short.reverseBytes(value);
  }

  static short getShortLE(byte @Nullable [] base, long address) {
    short value = MemoryAccess.getShort(base, address);
    return BIG_ENDIAN ? Short.reverseBytes(value) : value;
  }

  static int getInt(byte @Nullable [] base, long address) {
    int value = MemoryAccess.getInt(base, address);
    return BIG_ENDIAN ? value : Integer.reverseBytes(value);
  }

  static int getIntLE(byte @Nullable [] base, long address) {
    int value = MemoryAccess.getInt(base, address);
    return BIG_ENDIAN ? Integer.reverseBytes(value) : value;
  }

  static long getLong(byte @Nullable [] base, long address) {
    long value = MemoryAccess.getLong(base, address);
    return BIG_ENDIAN ? value : Long.reverseBytes(value);
  }

  static long getLongLE(byte @Nullable [] base, long address) {
    long value = MemoryAccess.getLong(base, address);
    return BIG_ENDIAN ? Long.reverseBytes(value) : value;
  }

  static int getUnsignedMedium(byte @Nullable [] base, long address) {
    return (getByte(base, address) & 0xFF) << 16 | (getShort(base, address + 1) & 0xFFFF);
  }

  static int getUnsignedMediumLE(byte @Nullable [] base, long address) {
    return (getShortLE(base, address) & 0xFFFF) | (getByte(base, address + 2) & 0xFF) << 16;
  }

  static void setByte(byte @Nullable [] base, long address, int value) {
    MemoryAccess.putByte(base, address, (byte) value);
  }

  static void setShort(byte @Nullable [] base, long address, int value) {
    short low = (short) value;
    MemoryAccess.putShort(base, address, BIG_ENDIAN ? low : Short.reverseBytes(low));
  }

  static void setShortLE(byte @Nullable [] base, long address, int value) {
    short low = (short) value;
    MemoryAccess.putShort(base, address, BIG_ENDIAN ? Short.reverseBytes(low) : low);
  }

  static void setInt(byte @Nullable [] base, long address, int value) {
    MemoryAccess.putInt(base, address, BIG_ENDIAN ? value : Integer.reverseBytes(value));
  }

  static void setIntLE(byte @Nullable [] base, long address, int value) {
    MemoryAccess.putInt(base, address, BIG_ENDIAN ? Integer.reverseBytes(value) : value);
  }

  static void setLong(byte @Nullable [] base, long address, long value) {
    MemoryAccess.putLong(base, address, BIG_ENDIAN ? value : Long.reverseBytes(value));
  }

  static void setLongLE(byte @Nullable [] base, long address, long value) {
    MemoryAccess.putLong(base, address, BIG_ENDIAN ? Long.reverseBytes(value) : value);
  }

  static void setMedium(byte @Nullable [] base, long address, int value) {
    setByte(base, address, value >> 16);
    setShort(base, address + 1, value);
  }

  static void setMediumLE(byte @Nullable [] base, long address, int value) {
    setShortLE(base, address, value);
    setByte(base, address + 2, value >> 16);
  }
}
