/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static dev.cistern.memory.MemoryAccess.BYTE_ARRAY_OFFSET;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * An encoder of strings to UTF-8 (RFC 3629). The contents of a string have one byte per character
 * (Latin-1) or two (UTF-16). Sequences of ASCII are encoded eight or four characters at a time. An
 * unpaired surrogate becomes {@code '?'}, as in the JDK. The methods do not check the room: callers
 * must ensure it.
 */
public final class Utf8 {
  /** The maximum number of bytes of a Latin-1 character in UTF-8. */
  public static final int MAX_BYTES_PER_LATIN1_CHAR = 2;

  /**
   * The maximum number of bytes of a {@code char} in UTF-8. A surrogate pair, which is two, becomes
   * four bytes.
   */
  public static final int MAX_BYTES_PER_CHAR = 3;

  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long NOT_ASCII_CHARS = 0xFF80_FF80_FF80_FF80L;
  private static final int ONE_BYTE = 0x80;
  private static final int TWO_BYTES = 0x800;

  private static final int MIN_SCRIPT_CHARS = 8;
  private static final int SURROGATE_SHIFT = 11;
  private static final int SURROGATE = 0xD800 >>> SURROGATE_SHIFT;

  private Utf8() {}

  /** Returns whether the eight bytes are ASCII. */
  public static boolean isAscii(long word) {
    return (word & HIGH_BITS) == 0;
  }

  private static long word(byte[] array, long index) {
    return MemoryAccess.getLong(array, BYTE_ARRAY_OFFSET + index);
  }

  /** Encodes Latin-1 characters. Returns the number of bytes written. */
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
   * Encodes eight characters of which one, {@code bits} from the low end, becomes two bytes. Its
   * second byte is the character without bit 6, so this byte and all later ones move up by a byte
   * unchanged.
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
      out += putUpToTwo(text[i] & 0xFF, base, out);
    }
    return out;
  }

  /** Encodes a character below {@link #TWO_BYTES}. Returns the number of bytes. */
  private static int putUpToTwo(int c, byte @Nullable [] base, long out) {
    if (c < ONE_BYTE) {
      MemoryAccess.putByte(base, out, (byte) c);
      return 1;
    }
    MemoryNumbers.setShortLE(base, out, twoOf(c));
    return 2;
  }

  /** Encodes UTF-16 characters. Returns the number of bytes written. */
  public static int encodeUtf16(
      byte[] text, int from, int to, byte @Nullable [] base, long address) {
    long after = // tested here, so that each loop is compiled for one kind of memory
        base == null
            ? putByScript(text, from, to, null, address)
            : putByScript(text, from, to, base, address);
    return (int) (after - address);
  }

  /**
   * Encodes with one of several loops, which the characters in the middle of the text determine.
   * Each loop is correct for every text. A single loop would have more live values than there are
   * registers.
   */
  private static long putByScript(
      byte[] text, int from, int to, byte @Nullable [] base, long address) {
    long in = BYTE_ARRAY_OFFSET + ((long) from << 1);
    long end = BYTE_ARRAY_OFFSET + ((long) to << 1);
    if (to - from >= MIN_SCRIPT_CHARS && !BIG_ENDIAN) {
      long middle = in + ((to - from) & -2);
      int left = charAt(text, middle - Character.BYTES);
      int right = charAt(text, middle);
      if (isOfTwo(left) || isOfTwo(right)) {
        return putTwos(text, in, end, base, address);
      } else if (isOfThree(left) && isOfThree(right)) {
        return putThrees(text, in, end, base, address);
      }
    }
    return putUtf16(text, in, end, base, address);
  }

  private static boolean isOfTwo(int c) {
    return c >= ONE_BYTE && c < TWO_BYTES;
  }

  private static boolean isOfThree(int c) {
    return c >= TWO_BYTES && c >>> SURROGATE_SHIFT != SURROGATE;
  }

  /**
   * Encodes a script of two bytes per character, with ASCII spaces and punctuation between words.
   * No branch depends on the end of a word, which a processor cannot predict. Instead, the loop
   * always stores two bytes, and the next character overwrites the second byte after an ASCII
   * character.
   */
  private static long putTwos(
      byte[] text, long from, long end, byte @Nullable [] base, long address) {
    byte[] forms = Forms.SHORT;
    long last = end - Character.BYTES; // no later character would overwrite its second byte
    long out = address;
    long in = from;
    while (in < last) {
      int c = charAt(text, in);
      if (c < TWO_BYTES) {
        long form = word(forms, (long) c << 3);
        MemoryAccess.putShort(base, out, (short) form);
        out += form >>> Short.SIZE;
        in += Character.BYTES;
      } else {
        int bytes = putChar(text, in, end, base, out);
        out += bytes;
        in += charsIn(bytes);
      }
    }
    return putRest(text, in, end, base, out);
  }

  /**
   * Encodes a script of three bytes per character. The loop stores four bytes, and the next
   * character overwrites the fourth.
   */
  private static long putThrees(
      byte[] text, long from, long end, byte @Nullable [] base, long address) {
    byte[] shortForms = Forms.SHORT;
    byte[] threes = Forms.THREES;
    long last = end - Character.BYTES; // no later character would overwrite its fourth byte
    long out = address;
    long in = from;
    while (in < last) {
      int c = charAt(text, in);
      int first = MemoryAccess.getInt(threes, BYTE_ARRAY_OFFSET + ((long) (c >>> 6) << 2));
      if (first >= 0) {
        MemoryAccess.putInt(base, out, first | (c & 0x3F) << 16);
        out += 3;
        in += Character.BYTES;
      } else if (c < TWO_BYTES) {
        long form = word(shortForms, (long) c << 3);
        MemoryAccess.putShort(base, out, (short) form);
        out += form >>> Short.SIZE;
        in += Character.BYTES;
      } else {
        int bytes = putSurrogate(c, text, in, last, base, out);
        out += bytes;
        in += charsIn(bytes);
      }
    }
    return putRest(text, in, end, base, out);
  }

  /**
   * The tables of encoded characters, which are created on first use: 20 KiB, of which a script
   * uses few cache lines.
   */
  private static final class Forms {
    /**
     * The encoded bytes of each character of one or two bytes, and in the bits above, their number.
     */
    static final byte[] SHORT = shortForms();

    /**
     * The encoded bytes of the first of each 64 characters; a negative number if these are not of
     * three bytes.
     */
    static final byte[] THREES = threes();

    private static byte[] shortForms() {
      byte[] table = new byte[TWO_BYTES * Long.BYTES];
      for (int c = 0; c < TWO_BYTES; c++) {
        int form = c < ONE_BYTE ? (1 << Short.SIZE) | c : (2 << Short.SIZE) | twoOf(c);
        MemoryAccess.putLong(table, BYTE_ARRAY_OFFSET + ((long) c << 3), form);
      }
      return table;
    }

    private static byte[] threes() {
      byte[] table = new byte[(1 << (Character.SIZE - 6)) * Integer.BYTES];
      for (int i = 0; i < table.length; i += Integer.BYTES) {
        int c = (i / Integer.BYTES) << 6;
        MemoryAccess.putInt(table, BYTE_ARRAY_OFFSET + i, isOfThree(c) ? threeOf(c) : -1);
      }
      return table;
    }
  }

  /**
   * Encodes any text, with ASCII four characters at a time. If four characters are not all ASCII,
   * the loop tests each one up to the first ASCII character after them. So the processor predicts
   * the next read position instead of waiting for it, and the state of the loop stays in registers.
   */
  private static long putUtf16(
      byte[] text, long from, long end, byte @Nullable [] base, long address) {
    long in = from;
    long out = address;
    while (in <= end - Long.BYTES) {
      long word = MemoryAccess.getLong(text, in);
      if ((word & NOT_ASCII_CHARS) == 0) {
        MemoryAccess.putInt(base, out, narrow(word));
        in += Long.BYTES;
        out += Long.BYTES / Character.BYTES;
        continue;
      }
      int c;
      while ((c = charAt(text, in)) < ONE_BYTE) {
        MemoryAccess.putByte(base, out, (byte) c);
        in += Character.BYTES;
        out++;
      }
      do {
        if (c < TWO_BYTES) {
          MemoryNumbers.setShortLE(base, out, twoOf(c));
          in += Character.BYTES;
          out += 2;
        } else if (c >>> SURROGATE_SHIFT != SURROGATE) {
          MemoryNumbers.setMediumLE(base, out, threeOf(c));
          in += Character.BYTES;
          out += 3;
        } else {
          int bytes = putSurrogate(c, text, in, end - Character.BYTES, base, out);
          in += charsIn(bytes);
          out += bytes;
        }
      } while (in < end && (c = charAt(text, in)) >= ONE_BYTE);
    }
    return putRest(text, in, end, base, out);
  }

  private static long putRest(
      byte[] text, long from, long end, byte @Nullable [] base, long address) {
    long in = from;
    long out = address;
    while (in < end) {
      int bytes = putChar(text, in, end, base, out);
      in += charsIn(bytes);
      out += bytes;
    }
    return out;
  }

  /** Encodes a character or a surrogate pair. Returns the number of bytes. */
  private static int putChar(byte[] text, long in, long end, byte @Nullable [] base, long out) {
    int c = charAt(text, in);
    if (c < TWO_BYTES) {
      return putUpToTwo(c, base, out);
    } else if (c >>> SURROGATE_SHIFT != SURROGATE) {
      MemoryNumbers.setMediumLE(base, out, threeOf(c));
      return 3;
    }
    return putSurrogate(c, text, in, end - Character.BYTES, base, out);
  }

  /**
   * Returns the size in the text of a character with this number of encoded bytes: four bytes are a
   * surrogate pair.
   */
  private static int charsIn(int bytes) {
    return bytes < 4 ? Character.BYTES : 2 * Character.BYTES;
  }

  /**
   * Encodes a surrogate pair in four bytes, or an unpaired surrogate in one. Returns the number of
   * bytes.
   */
  private static int putSurrogate(
      int c, byte[] text, long in, long last, byte @Nullable [] base, long out) {
    if (in < last) {
      char second = (char) charAt(text, in + Character.BYTES);
      if (Character.isSurrogatePair((char) c, second)) {
        int bytes = fourOf(Character.toCodePoint((char) c, second));
        MemoryNumbers.setIntLE(base, out, bytes);
        return 4;
      }
    }
    MemoryAccess.putByte(base, out, (byte) '?');
    return 1;
  }

  private static int charAt(byte[] text, long address) {
    return MemoryAccess.getShort(text, address) & 0xFFFF;
  }

  /** Returns the lower byte of each of four characters, in the same order. */
  private static int narrow(long word) {
    long pairs = (word | word >>> 8) & 0x0000_FFFF_0000_FFFFL;
    return (int) (pairs | pairs >>> 16);
  }

  // The encoded bytes of a character, with the first one lowest.

  private static int twoOf(int c) {
    return 0x80C0 | c >> 6 | (c & 0x3F) << 8;
  }

  private static int threeOf(int c) {
    return 0x8080E0 | c >> 12 | (c << 2 & 0x3F00) | (c & 0x3F) << 16;
  }

  private static int fourOf(int c) {
    return 0x808080F0 | c >> 18 | (c >> 4 & 0x3F00) | (c << 10 & 0x3F_0000) | (c & 0x3F) << 24;
  }

  /** Returns the number of bytes of Latin-1 characters in UTF-8. */
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

  /** Returns the number of bytes of part of any text in UTF-8. */
  public static int length(CharSequence text, int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < TWO_BYTES) {
        bytes += c < ONE_BYTE ? 1 : 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (i + 1 < to && Character.isSurrogatePair(c, text.charAt(i + 1))) {
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
