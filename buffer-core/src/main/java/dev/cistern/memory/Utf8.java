/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static dev.cistern.memory.MemoryAccess.BYTE_ARRAY_OFFSET;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * UTF-8 (RFC 3629) from and about the contents of strings, which are of one byte a character
 * (Latin-1) or of two (UTF-16). Runs of ASCII go eight characters at a time, or four. What is no
 * character, half of a surrogate pair, becomes {@code '?'}, as in the JDK (seed row D3). Nothing
 * checks the room: callers have made sure of it.
 */
public final class Utf8 {
  /** The most bytes that a character of one byte becomes. */
  public static final int MOST_FOR_LATIN1 = 2;

  /** The most bytes that a {@code char} becomes; a surrogate pair, which is two, becomes four. */
  public static final int MOST_FOR_CHAR = 3;

  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long NOT_ASCII_CHARS = 0xFF80_FF80_FF80_FF80L;
  private static final long LOWER_BYTES = 0x00FF_00FF_00FF_00FFL;
  private static final int CHARS_AT_A_TIME = Long.BYTES / Character.BYTES;
  private static final int ONE_BYTE = 0x80;
  private static final int TWO_BYTES = 0x800;

  private Utf8() {}

  /** True if the eight bytes are ASCII. */
  public static boolean isAscii(long word) {
    return (word & HIGH_BITS) == 0;
  }

  private static long word(byte[] array, long index) {
    return MemoryAccess.getLong(array, BYTE_ARRAY_OFFSET + index);
  }

  /** Encodes characters of one byte; returns the number of bytes written. */
  public static int encodeLatin1(
      byte[] text, int from, int to, byte @Nullable [] base, long address) {
    long out = address;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long word = word(text, i);
      long notAscii = word & HIGH_BITS;
      if (notAscii == 0) {
        MemoryAccess.putLong(base, out, word);
        out += Long.BYTES;
      } else if ((notAscii & (notAscii - 1)) == 0 && !BIG_ENDIAN) {
        putWithOneOfTwo(word, Long.numberOfTrailingZeros(notAscii) - 7, base, out);
        out += Long.BYTES + 1;
      } else {
        out = putLatin1(text, i, i + Long.BYTES, base, out);
      }
    }
    return (int) (putLatin1(text, i, to, base, out) - address);
  }

  /**
   * Encodes eight characters of which one, {@code bits} from the low end, has two bytes. Its second
   * byte is itself without bit 6, so that it and all after it move up by a byte as they are.
   */
  private static void putWithOneOfTwo(long word, int bits, byte @Nullable [] base, long out) {
    long first = 0xC0 | (word >>> bits & 0xFF) >>> 6;
    long from = -1L << bits;
    long rest = word & from & ~(0x40L << bits);
    MemoryAccess.putLong(base, out, (word & ~from) | first << bits | rest << Byte.SIZE);
    MemoryAccess.putByte(base, out + Long.BYTES, (byte) (rest >>> 56));
  }

  private static long putLatin1(
      byte[] text, int from, int to, byte @Nullable [] base, long address) {
    long out = address;
    for (int i = from; i < to; i++) {
      out += putTwo(text[i] & 0xFF, base, out);
    }
    return out;
  }

  /** Encodes a character below {@link #TWO_BYTES}. */
  private static int putTwo(int c, byte @Nullable [] base, long out) {
    if (c < ONE_BYTE) {
      MemoryAccess.putByte(base, out, (byte) c);
      return 1;
    }
    putPair(0xC0 | c >> 6, trail(c), base, out);
    return 2;
  }

  private static void putPair(int first, int second, byte @Nullable [] base, long out) {
    int pair = BIG_ENDIAN ? (first << Byte.SIZE) | second : (second << Byte.SIZE) | first;
    MemoryAccess.putShort(base, out, (short) pair);
  }

  /**
   * Encodes characters of two bytes; returns the number of bytes written. ASCII goes four at a
   * time; of four that are not all ASCII, those before the first that is not do too. What is
   * written beyond those is written over: as many characters are still to come.
   */
  public static int encodeUtf16(
      byte[] text, int from, int to, byte @Nullable [] base, long address) {
    long out = address;
    int i = from;
    while (i <= to - CHARS_AT_A_TIME) {
      long word = word(text, (long) i << 1);
      long notAscii = word & NOT_ASCII_CHARS;
      if (notAscii == 0) {
        MemoryAccess.putInt(base, out, narrow(word));
        i += CHARS_AT_A_TIME;
        out += CHARS_AT_A_TIME;
        continue;
      }
      MemoryAccess.putInt(base, out, narrow(word & LOWER_BYTES));
      int ascii = asciiChars(notAscii);
      i += ascii;
      out += ascii;
      int bytes = putChar(text, i, to, base, out);
      i += charsIn(bytes);
      out += bytes;
    }
    while (i < to) {
      int bytes = putChar(text, i, to, base, out);
      i += charsIn(bytes);
      out += bytes;
    }
    return (int) (out - address);
  }

  /** How many characters come before the first that {@code notAscii} marks. */
  private static int asciiChars(long notAscii) {
    int zeros =
        BIG_ENDIAN ? Long.numberOfLeadingZeros(notAscii) : Long.numberOfTrailingZeros(notAscii);
    return zeros / Character.SIZE;
  }

  /** Four bytes are a pair of characters. */
  private static int charsIn(int bytes) {
    return (bytes >>> 2) + 1;
  }

  /** Encodes the character, or the pair, at {@code i}; returns the number of bytes. */
  private static int putChar(byte[] text, int i, int to, byte @Nullable [] base, long out) {
    char c = StringContents.charAt(text, i);
    if (c < TWO_BYTES) {
      return putTwo(c, base, out);
    } else if (!Character.isSurrogate(c)) {
      putThree(c, base, out);
      return 3;
    } else if (isPair(text, c, i + 1, to)) {
      putFour(Character.toCodePoint(c, StringContents.charAt(text, i + 1)), base, out);
      return 4;
    }
    MemoryAccess.putByte(base, out, (byte) '?');
    return 1;
  }

  /** The lower byte of each of four characters, in the same order. */
  private static int narrow(long word) {
    long pairs = (word | word >>> 8) & 0x0000_FFFF_0000_FFFFL;
    return (int) (pairs | pairs >>> 16);
  }

  /** True if {@code first}, and what is at {@code next}, are a surrogate pair. */
  private static boolean isPair(byte[] text, char first, int next, int to) {
    return next < to && Character.isSurrogatePair(first, StringContents.charAt(text, next));
  }

  private static int trail(int bits) {
    return 0x80 | (bits & 0x3F);
  }

  private static void putThree(int c, byte @Nullable [] base, long out) {
    putPair(0xE0 | c >> 12, trail(c >> 6), base, out);
    MemoryAccess.putByte(base, out + 2, (byte) trail(c));
  }

  private static void putFour(int c, byte @Nullable [] base, long out) {
    putPair(0xF0 | c >> 18, trail(c >> 12), base, out);
    putPair(trail(c >> 6), trail(c), base, out + 2);
  }

  /** How many bytes characters of one byte become. */
  public static int lengthOfLatin1(byte[] text, int from, int to) {
    long bytes = (long) to - from;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      bytes += Long.bitCount(word(text, i) & HIGH_BITS);
    }
    for (; i < to; i++) {
      bytes += text[i] >>> 31;
    }
    return fits(bytes);
  }

  /** How many bytes characters of two bytes become. */
  public static int lengthOfUtf16(byte[] text, int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      char c = StringContents.charAt(text, i);
      if (c < TWO_BYTES) {
        bytes += c < ONE_BYTE ? 1 : 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (isPair(text, c, i + 1, to)) {
        i++;
        bytes += 4;
      } else {
        bytes++;
      }
    }
    return fits(bytes);
  }

  private static int fits(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the text has " + bytes + " bytes in UTF-8 (expected: <= " + Integer.MAX_VALUE + ")");
    }
    return (int) bytes;
  }
}
