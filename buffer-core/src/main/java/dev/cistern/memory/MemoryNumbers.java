/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Access to numbers at a base and an address, without checks. Numbers are big endian, or little
 * endian in methods whose names end in {@code LE}.
 */
public final class MemoryNumbers {
  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  private MemoryNumbers() {}

  /** Reads a byte. */
  public static byte getByte(byte @Nullable [] base, long address) {
    return MemoryAccess.getByte(base, address);
  }

  /** Reads a 16-bit integer. */
  public static short getShort(byte @Nullable [] base, long address) {
    short value = MemoryAccess.getShort(base, address);
    return BIG_ENDIAN ? value : Short.reverseBytes(value);
  }

  /** Reads a 16-bit integer, little endian. */
  public static short getShortLE(byte @Nullable [] base, long address) {
    short value = MemoryAccess.getShort(base, address);
    return BIG_ENDIAN ? Short.reverseBytes(value) : value;
  }

  /** Reads a 32-bit integer. */
  public static int getInt(byte @Nullable [] base, long address) {
    int value = MemoryAccess.getInt(base, address);
    return BIG_ENDIAN ? value : Integer.reverseBytes(value);
  }

  /** Reads a 32-bit integer, little endian. */
  public static int getIntLE(byte @Nullable [] base, long address) {
    int value = MemoryAccess.getInt(base, address);
    return BIG_ENDIAN ? Integer.reverseBytes(value) : value;
  }

  /** Reads a 64-bit integer. */
  public static long getLong(byte @Nullable [] base, long address) {
    long value = MemoryAccess.getLong(base, address);
    return BIG_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** Reads a 64-bit integer, little endian. */
  public static long getLongLE(byte @Nullable [] base, long address) {
    long value = MemoryAccess.getLong(base, address);
    return BIG_ENDIAN ? Long.reverseBytes(value) : value;
  }

  /** Reads an unsigned 24-bit integer. */
  public static int getUnsignedMedium(byte @Nullable [] base, long address) {
    return (getByte(base, address) & 0xFF) << 16 | (getShort(base, address + 1) & 0xFFFF);
  }

  /** Reads an unsigned 24-bit integer, little endian. */
  public static int getUnsignedMediumLE(byte @Nullable [] base, long address) {
    return (getShortLE(base, address) & 0xFFFF) | (getByte(base, address + 2) & 0xFF) << 16;
  }

  /** Writes a byte. */
  public static void setByte(byte @Nullable [] base, long address, int value) {
    MemoryAccess.putByte(base, address, (byte) value);
  }

  /** Writes a 16-bit integer. */
  public static void setShort(byte @Nullable [] base, long address, int value) {
    short low = (short) value;
    MemoryAccess.putShort(base, address, BIG_ENDIAN ? low : Short.reverseBytes(low));
  }

  /** Writes a 16-bit integer, little endian. */
  public static void setShortLE(byte @Nullable [] base, long address, int value) {
    short low = (short) value;
    MemoryAccess.putShort(base, address, BIG_ENDIAN ? Short.reverseBytes(low) : low);
  }

  /** Writes a 32-bit integer. */
  public static void setInt(byte @Nullable [] base, long address, int value) {
    MemoryAccess.putInt(base, address, BIG_ENDIAN ? value : Integer.reverseBytes(value));
  }

  /** Writes a 32-bit integer, little endian. */
  public static void setIntLE(byte @Nullable [] base, long address, int value) {
    MemoryAccess.putInt(base, address, BIG_ENDIAN ? Integer.reverseBytes(value) : value);
  }

  /** Writes a 64-bit integer. */
  public static void setLong(byte @Nullable [] base, long address, long value) {
    MemoryAccess.putLong(base, address, BIG_ENDIAN ? value : Long.reverseBytes(value));
  }

  /** Writes a 64-bit integer, little endian. */
  public static void setLongLE(byte @Nullable [] base, long address, long value) {
    MemoryAccess.putLong(base, address, BIG_ENDIAN ? Long.reverseBytes(value) : value);
  }

  /** Writes a 24-bit integer. */
  public static void setMedium(byte @Nullable [] base, long address, int value) {
    setByte(base, address, value >> 16);
    setShort(base, address + 1, value);
  }

  /** Writes a 24-bit integer, little endian. */
  public static void setMediumLE(byte @Nullable [] base, long address, int value) {
    setShortLE(base, address, value);
    setByte(base, address + 2, value >> 16);
  }
}
