/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the case of ASCII letters, on eight bytes at a time. They add constants to all
 * eight bytes, so that the highest bit of each byte shows whether the byte is in the alphabet
 * (Lamport 1975).
 */
final class AsciiBytes {
  /** The bit in which a lower-case letter differs from the upper-case letter. */
  static final int CASE_BIT = 0x20;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long WITHOUT_CASE = ~(CASE_BIT * ONES);
  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;
  private static final int LETTERS = 26;

  private AsciiBytes() {}

  /** Returns the next {@code left} bytes, up to eight, as a word; further bytes are 0. */
  private static long word(byte[] bytes, int index, int left) {
    if (left >= Long.BYTES) {
      return (long) WORDS.get(bytes, index);
    }
    long word = 0;
    for (int i = left - 1; i >= 0; i--) {
      word = word << Byte.SIZE | (bytes[index + i] & 0xFF);
    }
    return word;
  }

  /** Returns the case bit of each byte that is one of the 26 letters from {@code first} on. */
  private static long caseBits(long word, char first) {
    long low = word & ~HIGH_BITS;
    long fromFirst = low + (0x80 - first) * ONES;
    long afterLast = low + (0x80 - first - LETTERS) * ONES;
    return (fromFirst & ~afterLast & ~word & HIGH_BITS) >>> 2;
  }

  /**
   * Returns a copy in which each of the 26 letters from {@code first} on has the other case; null
   * if there are none of these letters.
   */
  static byte @Nullable [] turnCase(byte[] bytes, int offset, int length, char first) {
    byte[] turned = null;
    for (int left = length; left > 0; left -= Long.BYTES) {
      int i = length - left;
      long bits = caseBits(word(bytes, offset + i, left), first);
      if (bits != 0) {
        if (turned == null) {
          turned = Arrays.copyOfRange(bytes, offset, offset + length);
        }
        for (int j = i; bits != 0; j++, bits >>>= Byte.SIZE) {
          turned[j] ^= (byte) bits;
        }
      }
    }
    return turned;
  }

  /** Returns whether both ranges are the same, apart from the case of letters. */
  static boolean equalsIgnoreCase(byte[] a, int aOffset, byte[] b, int bOffset, int length) {
    for (int left = length; left > 0; left -= Long.BYTES) {
      long x = word(a, aOffset + length - left, left);
      long y = word(b, bOffset + length - left, left);
      if (x != y && (x | caseBits(x, 'A')) != (y | caseBits(y, 'A'))) {
        return false;
      }
    }
    return true;
  }

  /** Returns a hash that ignores the case of letters. */
  static int hash(byte[] bytes, int offset, int length) {
    long hash = length;
    for (int left = length; left > 0; left -= Long.BYTES) {
      hash = mix(hash, word(bytes, offset + length - left, left));
    }
    return (int) hash;
  }

  /** Returns the hash of the bytes that these characters become. */
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
