/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of an array that are read as characters, each byte the character of the same number, or as
 * digits: all that needs no second text.
 */
abstract class ByteText extends AsciiNumbers {
  final byte[] value;
  final int offset;
  final int length;

  ByteText(byte[] value, int start, int length, boolean copy) {
    checkRange(start, length, value.length);
    this.value = copy ? Arrays.copyOfRange(value, start, start + length) : value;
    this.offset = copy ? 0 : start;
    this.length = length;
  }

  ByteText(ByteBuffer value, int start, int length, boolean copy) {
    checkRange(start, length, value.capacity());
    boolean isView = !copy && value.hasArray();
    this.value = isView ? value.array() : new byte[length];
    this.offset = isView ? value.arrayOffset() + start : 0;
    this.length = length;
    if (!isView) {
      value.duplicate().clear().get(start, this.value);
    }
  }

  ByteText(CharSequence value, int start, int length) {
    checkRange(start, length, value.length());
    this.value = new byte[length];
    this.offset = 0;
    this.length = length;
    for (int i = 0; i < length; i++) {
      this.value[i] = AsciiString.c2b(value.charAt(start + i));
    }
  }

  static void checkRange(int start, int length, int capacity) {
    if ((start | length) < 0 || start > capacity - length) {
      throw new IndexOutOfBoundsException(
          "start: " + start + ", length: " + length + " (expected: within " + capacity + " bytes)");
    }
  }

  final void checkSpan(int start, int end) {
    checkRange(start, end - start, length);
  }

  // Bytes

  /** As {@link #forEachByte(int, int, ByteProcessor)}, for all bytes. */
  public int forEachByte(ByteProcessor visitor) throws Exception {
    return forEachByte(0, length, visitor);
  }

  /** The index of the first byte for which {@code visitor} gives false, or -1. */
  public int forEachByte(int index, int length, ByteProcessor visitor) throws Exception {
    checkRange(index, length, this.length);
    for (int i = index; i < index + length; i++) {
      if (!visitor.process(value[offset + i])) {
        return i;
      }
    }
    return AsciiString.INDEX_NOT_FOUND;
  }

  /** As {@link #forEachByteDesc(int, int, ByteProcessor)}, for all bytes. */
  public int forEachByteDesc(ByteProcessor visitor) throws Exception {
    return forEachByteDesc(0, length, visitor);
  }

  /** The index of the last byte for which {@code visitor} gives false, from the end on, or -1. */
  public int forEachByteDesc(int index, int length, ByteProcessor visitor) throws Exception {
    checkRange(index, length, this.length);
    for (int i = index + length - 1; i >= index; i--) {
      if (!visitor.process(value[offset + i])) {
        return i;
      }
    }
    return AsciiString.INDEX_NOT_FOUND;
  }

  /** The byte at an index. */
  public byte byteAt(int index) {
    if (index < 0 || index >= length) {
      checkRange(index, 1, length);
    }
    return value[offset + index];
  }

  /** True if there are no characters. */
  @Override
  public boolean isEmpty() {
    return length == 0;
  }

  @Override
  public int length() {
    return length;
  }

  /** The array that holds the bytes, not a copy. */
  public byte[] array() {
    return value;
  }

  /** Where in {@link #array} the first byte is. */
  public int arrayOffset() {
    return offset;
  }

  /** True if {@link #array} holds nothing else. */
  public boolean isEntireArrayUsed() {
    return length == value.length;
  }

  /** A copy of all bytes. */
  public byte[] toByteArray() {
    return toByteArray(0, length);
  }

  /** A copy of the bytes from {@code start} up to before {@code end}. */
  public byte[] toByteArray(int start, int end) {
    checkSpan(start, end);
    return Arrays.copyOfRange(value, offset + start, offset + end);
  }

  /** Copies bytes to an array. */
  public void copy(int srcIdx, byte[] dst, int dstIdx, int length) {
    checkRange(srcIdx, length, this.length);
    System.arraycopy(value, offset + srcIdx, dst, dstIdx, length);
  }

  /** Copies characters to an array. */
  public void copy(int srcIdx, char[] dst, int dstIdx, int length) {
    checkRange(srcIdx, length, this.length);
    checkRange(dstIdx, length, dst.length);
    for (int i = 0; i < length; i++) {
      dst[dstIdx + i] = AsciiString.b2c(value[offset + srcIdx + i]);
    }
  }

  /** A copy of all characters. */
  public char[] toCharArray() {
    return toCharArray(0, length);
  }

  /** A copy of the characters from {@code start} up to before {@code end}. */
  public char[] toCharArray(int start, int end) {
    return toString(start, end).toCharArray();
  }

  // Characters

  @Override
  public char charAt(int index) {
    return AsciiString.b2c(byteAt(index));
  }

  @Override
  public String toString(int start, int end) {
    checkSpan(start, end);
    return new String(value, offset + start, end - start, StandardCharsets.ISO_8859_1);
  }

  // Numbers

  /** True if the first byte is other than 0; false if there is none. */
  public boolean parseBoolean() {
    return length > 0 && value[offset] != 0;
  }

  /** As {@link #parseChar(int)}, of the first two bytes. */
  public char parseChar() {
    return parseChar(0);
  }

  /** Two bytes as one character, big endian. */
  public char parseChar(int start) {
    checkRange(start, Character.BYTES, length);
    return (char) (charAt(start) << Byte.SIZE | charAt(start + 1));
  }

  /** Goes down from 0, since there is one more number below it than above. */
  @Override
  final long parse(int start, int end, int radix, long minimum) {
    checkSpan(start, end);
    boolean isNegative = start < end && value[offset + start] == '-';
    int i = isNegative ? start + 1 : start;
    if (radix < Character.MIN_RADIX || radix > Character.MAX_RADIX || i == end) {
      throw notANumber(start, end, radix);
    }
    long limit = isNegative ? minimum : minimum + 1;
    long number = 0;
    for (; i < end; i++) {
      int digit = Character.digit(AsciiString.b2c(value[offset + i]), radix);
      if (digit < 0 || number < limit / radix || number * radix < limit + digit) {
        throw notANumber(start, end, radix);
      }
      number = number * radix - digit;
    }
    return isNegative ? number : -number;
  }

  private NumberFormatException notANumber(int start, int end, int radix) {
    return new NumberFormatException('"' + toString(start, end) + "\", radix " + radix);
  }
}
