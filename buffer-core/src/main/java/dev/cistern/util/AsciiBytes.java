/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What upper and lower case letters of ASCII are to eight bytes at a time: a byte's distance to the
 * ends of the alphabet is added to all eight, and shows in their highest bits (Lamport 1975).
 */
final class AsciiBytes {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long WITHOUT_CASE = ~(0x20 * ONES);
  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;
  private static final int CASE_BIT = 0x20;
  private static final int LETTERS = 26;

  private AsciiBytes() {}

  private static long word(byte[] bytes, int index) {
    return (long) WORDS.get(bytes, index);
  }

  /** The case bit of each byte that is one of the 26 letters from {@code first} on. */
  private static long caseBits(long word, char first) {
    long low = word & ~HIGH_BITS;
    long fromFirst = low + (0x80 - first) * ONES;
    long afterLast = low + (0x80 - first - LETTERS) * ONES;
    return (fromFirst & ~afterLast & ~word & HIGH_BITS) >>> 2;
  }

  private static boolean isLetter(byte value, char first) {
    return value >= first && value < first + LETTERS;
  }

  private static byte lowerCase(byte value) {
    return isLetter(value, 'A') ? (byte) (value | CASE_BIT) : value;
  }

  /**
   * A copy in which each of the 26 letters from {@code first} on is turned into the other case, or
   * null if there is none of them.
   */
  static byte @Nullable [] turnCase(byte[] bytes, int offset, int length, char first) {
    int i = firstLetter(bytes, offset, length, first);
    if (i == length) {
      return null;
    }
    byte[] turned = Arrays.copyOfRange(bytes, offset, offset + length);
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long word = word(turned, i);
      WORDS.set(turned, i, word ^ caseBits(word, first));
    }
    for (; i < length; i++) {
      if (isLetter(turned[i], first)) {
        turned[i] = (byte) (turned[i] ^ CASE_BIT);
      }
    }
    return turned;
  }

  private static int firstLetter(byte[] bytes, int offset, int length, char first) {
    int i = 0;
    while (i <= length - Long.BYTES && caseBits(word(bytes, offset + i), first) == 0) {
      i += Long.BYTES;
    }
    while (i < length && !isLetter(bytes[offset + i], first)) {
      i++;
    }
    return i;
  }

  /** True if both ranges differ in nothing but the case of letters. */
  static boolean equalsIgnoreCase(byte[] a, int aOffset, byte[] b, int bOffset, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long x = word(a, aOffset + i);
      long y = word(b, bOffset + i);
      if (x != y && (x | caseBits(x, 'A')) != (y | caseBits(y, 'A'))) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (lowerCase(a[aOffset + i]) != lowerCase(b[bOffset + i])) {
        return false;
      }
    }
    return true;
  }

  /** A hash in which the case of letters does not count. */
  static int hash(byte[] bytes, int offset, int length) {
    long hash = length;
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      hash = mix(hash, word(bytes, offset + i));
    }
    if (i < length) {
      long rest = 0;
      for (int j = length - 1; j >= i; j--) {
        rest = rest << Byte.SIZE | (bytes[offset + j] & 0xFF);
      }
      hash = mix(hash, rest);
    }
    return (int) hash;
  }

  /** The same hash as of the bytes that these characters become. */
  static int hash(CharSequence text) {
    int length = text.length();
    long hash = length;
    for (int i = 0; i < length; i += Long.BYTES) {
      long word = 0;
      for (int j = Math.min(i + Long.BYTES, length) - 1; j >= i; j--) {
        word = word << Byte.SIZE | (AsciiString.c2b(text.charAt(j)) & 0xFF);
      }
      hash = mix(hash, word);
    }
    return (int) hash;
  }

  private static long mix(long hash, long word) {
    long mixed = (hash ^ (word & WITHOUT_CASE)) * GOLDEN_RATIO;
    return mixed ^ mixed >>> Integer.SIZE;
  }
}
