/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text of one byte per character, over an array or part of one. A byte is the character with the
 * same number, 0 to 255; a character above 255 becomes {@code '?'}. Only ASCII letters have a case.
 * The hash ignores the case of letters. This object keeps the hash and the {@link #toString()
 * string} once they are computed; see {@link #arrayChanged}.
 *
 * <p>An index or a range outside of the text fails with an {@code IndexOutOfBoundsException}.
 */
@SuppressWarnings("ComparableType") // as in the API that this follows
public final class AsciiString implements CharSequence, Comparable<CharSequence> {
  /** The empty text. */
  public static final AsciiString EMPTY_STRING = cached("");

  /** The result of a search that finds nothing. */
  public static final int INDEX_NOT_FOUND = -1;

  /** The strategy of {@link #hashCode(CharSequence)} and {@link #contentEqualsIgnoreCase}. */
  public static final HashingStrategy<CharSequence> CASE_INSENSITIVE_HASHER = new Hasher(true);

  /** The strategy of {@link #hashCode(CharSequence)} and {@link #contentEquals}. */
  public static final HashingStrategy<CharSequence> CASE_SENSITIVE_HASHER = new Hasher(false);

  private static final char LAST_CHAR = 255;
  private static final int DECIMAL = 10;

  private final byte[] value;
  private final int offset;
  private final int length;

  /** The hash, or 0 if it is not yet computed. Any thread writes it, always with the same value. */
  private int hash;

  private @Nullable String string;

  /** Creates a copy of an array. */
  public AsciiString(byte[] value) {
    this(value, true);
  }

  /**
   * Creates a copy of an array; if {@code copy} is false, a view of the array, which must not
   * change.
   */
  public AsciiString(byte[] value, boolean copy) {
    this(value, 0, value.length, copy);
  }

  /**
   * Creates a copy or a view of part of an array, as {@link #AsciiString(byte[], boolean)} does.
   */
  public AsciiString(byte[] value, int start, int length, boolean copy) {
    Objects.checkFromIndexSize(start, length, value.length);
    this.value = copy ? Arrays.copyOfRange(value, start, start + length) : value;
    this.offset = copy ? 0 : start;
    this.length = length;
  }

  /** Creates a copy of the remaining bytes of a buffer, whose position does not move. */
  public AsciiString(ByteBuffer value) {
    this(value, true);
  }

  /**
   * Creates a copy of the remaining bytes of a buffer; if {@code copy} is false and the buffer has
   * an array, a view of the array.
   */
  public AsciiString(ByteBuffer value, boolean copy) {
    this(value, value.position(), value.remaining(), copy);
  }

  /**
   * Creates a copy or a view of bytes from index {@code start} on, as {@link
   * #AsciiString(ByteBuffer, boolean)} does.
   */
  public AsciiString(ByteBuffer value, int start, int length, boolean copy) {
    Objects.checkFromIndexSize(start, length, value.capacity());
    boolean isView = !copy && value.hasArray();
    this.value = isView ? value.array() : new byte[length];
    this.offset = isView ? value.arrayOffset() + start : 0;
    this.length = length;
    if (!isView) {
      value.duplicate().clear().get(start, this.value);
    }
  }

  /** Creates a text of characters, each as one byte. */
  public AsciiString(char[] value) {
    this(value, 0, value.length);
  }

  /** Creates a text of part of an array, as {@link #AsciiString(char[])} does. */
  public AsciiString(char[] value, int start, int length) {
    this(CharBuffer.wrap(value), start, length);
  }

  /** Creates a text of characters, as their bytes in a charset. */
  public AsciiString(char[] value, Charset charset) {
    this(value, charset, 0, value.length);
  }

  /** Creates a text of part of an array, as {@link #AsciiString(char[], Charset)} does. */
  public AsciiString(char[] value, Charset charset, int start, int length) {
    this(new String(value, start, length).getBytes(charset), false);
  }

  /** Creates a text of characters, each as one byte. */
  public AsciiString(CharSequence value) {
    this(value, 0, value.length());
  }

  /** Creates a text of part of another text, as {@link #AsciiString(CharSequence)} does. */
  public AsciiString(CharSequence value, int start, int length) {
    Objects.checkFromIndexSize(start, length, value.length());
    this.value = new byte[length];
    this.offset = 0;
    this.length = length;
    for (int i = 0; i < length; i++) {
      this.value[i] = c2b(value.charAt(start + i));
    }
  }

  /** Creates a text of characters, as their bytes in a charset. */
  public AsciiString(CharSequence value, Charset charset) {
    this(value, charset, 0, value.length());
  }

  /**
   * Creates a text of part of another text, as {@link #AsciiString(CharSequence, Charset)} does.
   */
  public AsciiString(CharSequence value, Charset charset, int start, int length) {
    this(value.subSequence(start, start + length).toString().getBytes(charset), false);
  }

  /** Returns the text itself if it is an {@code AsciiString}, otherwise a copy. */
  public static AsciiString of(CharSequence string) {
    return string instanceof AsciiString ascii ? ascii : new AsciiString(string);
  }

  /** Returns a copy whose {@link #toString()} returns the same string object. */
  public static AsciiString cached(String string) {
    AsciiString ascii = new AsciiString(string);
    ascii.string = string;
    return ascii;
  }

  /** Drops the kept hash and string. Callers must call this method after a write to the array. */
  public void arrayChanged() {
    string = null;
    hash = 0;
  }

  // Bytes

  /** Returns the index of the first of all bytes for which {@code visitor} returns false, or -1. */
  public int forEachByte(ByteProcessor visitor) throws Exception {
    return forEachByte(0, length, visitor);
  }

  /**
   * Returns the index of the first byte of a range for which {@code visitor} returns false, or -1.
   */
  public int forEachByte(int index, int length, ByteProcessor visitor) throws Exception {
    Objects.checkFromIndexSize(index, length, this.length);
    for (int i = index; i < index + length; i++) {
      if (!visitor.process(value[offset + i])) {
        return i;
      }
    }
    return INDEX_NOT_FOUND;
  }

  /** Returns the index of the last of all bytes for which {@code visitor} returns false, or -1. */
  public int forEachByteDesc(ByteProcessor visitor) throws Exception {
    return forEachByteDesc(0, length, visitor);
  }

  /**
   * Returns the index of the last byte of a range for which {@code visitor} returns false, or -1.
   */
  public int forEachByteDesc(int index, int length, ByteProcessor visitor) throws Exception {
    Objects.checkFromIndexSize(index, length, this.length);
    for (int i = index + length - 1; i >= index; i--) {
      if (!visitor.process(value[offset + i])) {
        return i;
      }
    }
    return INDEX_NOT_FOUND;
  }

  /** Returns the byte at an index. */
  public byte byteAt(int index) {
    return value[offset + Objects.checkIndex(index, length)];
  }

  /** Returns whether there are no characters. */
  @Override
  public boolean isEmpty() {
    return length == 0;
  }

  @Override
  public int length() {
    return length;
  }

  /** Returns the array that contains the bytes, not a copy. */
  public byte[] array() {
    return value;
  }

  /** Returns the index of the first byte in {@link #array}. */
  public int arrayOffset() {
    return offset;
  }

  /** Returns whether {@link #array} contains no other bytes. */
  public boolean isEntireArrayUsed() {
    return length == value.length;
  }

  /** Returns a copy of all bytes. */
  public byte[] toByteArray() {
    return toByteArray(0, length);
  }

  /** Returns a copy of the bytes from {@code start} to {@code end}, exclusive. */
  public byte[] toByteArray(int start, int end) {
    Objects.checkFromToIndex(start, end, length);
    return Arrays.copyOfRange(value, offset + start, offset + end);
  }

  /** Copies bytes to an array. */
  public void copy(int srcIdx, byte[] dst, int dstIdx, int length) {
    Objects.checkFromIndexSize(srcIdx, length, this.length);
    System.arraycopy(value, offset + srcIdx, dst, dstIdx, length);
  }

  /** Copies characters to an array. */
  public void copy(int srcIdx, char[] dst, int dstIdx, int length) {
    toString(srcIdx, srcIdx + length).getChars(0, length, dst, dstIdx);
  }

  // Characters

  /** Returns a copy of all characters. */
  public char[] toCharArray() {
    return toCharArray(0, length);
  }

  /** Returns a copy of the characters from {@code start} to {@code end}, exclusive. */
  public char[] toCharArray(int start, int end) {
    return toString(start, end).toCharArray();
  }

  @Override
  public char charAt(int index) {
    return b2c(byteAt(index));
  }

  /** Returns the characters from {@code start} to {@code end}, exclusive. */
  public String toString(int start, int end) {
    Objects.checkFromToIndex(start, end, length);
    return new String(value, offset + start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the text occurs in this one. */
  public boolean contains(CharSequence sequence) {
    return indexOf(sequence) >= 0;
  }

  /** Compares the texts character by character; a prefix of the other text is less. */
  @Override
  public int compareTo(CharSequence other) {
    return toString().compareTo(other.toString());
  }

  /** Returns this text followed by the other one. */
  public AsciiString concat(CharSequence other) {
    if (isEmpty()) {
      return of(other);
    }
    return other.length() == 0 ? this : of(toString() + other);
  }

  /** Returns the characters from {@code start} on, as a copy. */
  public AsciiString subSequence(int start) {
    return subSequence(start, length);
  }

  /** Returns the characters from {@code start} to {@code end}, exclusive, as a copy. */
  @Override
  public AsciiString subSequence(int start, int end) {
    return subSequence(start, end, true);
  }

  /**
   * Returns the characters of a range, as a copy; if {@code copy} is false, over the same array.
   */
  public AsciiString subSequence(int start, int end, boolean copy) {
    Objects.checkFromToIndex(start, end, length);
    if (end - start == length) {
      return this;
    }
    return start == end ? EMPTY_STRING : new AsciiString(value, offset + start, end - start, copy);
  }

  /** Returns the first index at which the text occurs, or -1. */
  public int indexOf(CharSequence string) {
    return indexOf(string, 0);
  }

  /** Returns the first index from {@code start} on at which the text occurs, or -1. */
  public int indexOf(CharSequence string, int start) {
    return toString().indexOf(string.toString(), start);
  }

  /** Returns the first index from {@code start} on of a character, or -1. */
  public int indexOf(char ch, int start) {
    byte wanted = (byte) ch;
    for (int i = Math.max(start, 0); ch <= LAST_CHAR && i < length; i++) {
      if (value[offset + i] == wanted) {
        return i;
      }
    }
    return INDEX_NOT_FOUND;
  }

  /** Returns the last index at which the text occurs, or -1. */
  public int lastIndexOf(CharSequence string) {
    return lastIndexOf(string, length);
  }

  /** Returns the last index, up to {@code start}, at which the text occurs, or -1. */
  public int lastIndexOf(CharSequence string, int start) {
    return toString().lastIndexOf(string.toString(), start);
  }

  /** Returns whether {@code length} characters of both are the same; false if one is too short. */
  public boolean regionMatches(int thisStart, CharSequence string, int start, int length) {
    return regionMatches(false, thisStart, string, start, length);
  }

  /**
   * Returns whether {@code length} characters of both are the same, with or without regard to the
   * case of letters; false if one is too short.
   */
  public boolean regionMatches(
      boolean ignoreCase, int thisStart, CharSequence string, int start, int length) {
    return regionMatchesAscii(this, ignoreCase, thisStart, string, start, length);
  }

  /** Returns a text with each {@code oldChar} replaced, or this one if it has none. */
  public AsciiString replace(char oldChar, char newChar) {
    return indexOf(oldChar, 0) < 0 ? this : of(toString(0).replace(oldChar, newChar));
  }

  /** Returns whether this text begins with {@code prefix}. */
  public boolean startsWith(CharSequence prefix) {
    return startsWith(prefix, 0);
  }

  /** Returns whether the characters from {@code start} on begin with {@code prefix}. */
  public boolean startsWith(CharSequence prefix, int start) {
    return regionMatches(start, prefix, 0, prefix.length());
  }

  /** Returns whether this text ends with {@code suffix}. */
  public boolean endsWith(CharSequence suffix) {
    return regionMatches(length - suffix.length(), suffix, 0, suffix.length());
  }

  /** Returns the text with each letter in lower case; this text if there is nothing to change. */
  public AsciiString toLowerCase() {
    byte[] lower = AsciiBytes.turnCase(value, offset, length, 'A');
    return lower == null ? this : new AsciiString(lower, false);
  }

  /** Returns the text with each letter in upper case; this text if there is nothing to change. */
  public AsciiString toUpperCase() {
    byte[] upper = AsciiBytes.turnCase(value, offset, length, 'a');
    return upper == null ? this : new AsciiString(upper, false);
  }

  /** Returns the text without the blanks and control characters at both ends. */
  public AsciiString trim() {
    return (AsciiString) trim(this);
  }

  /** Returns any text without the blanks and control characters at both ends. */
  public static CharSequence trim(CharSequence c) {
    int start = 0;
    int end = c.length();
    while (start < end && c.charAt(start) <= ' ') {
      start++;
    }
    while (start < end && c.charAt(end - 1) <= ' ') {
      end--;
    }
    return end - start == c.length() ? c : c.subSequence(start, end);
  }

  /** Returns whether all of this text matches a regular expression. */
  public boolean matches(String expr) {
    return Pattern.matches(expr, this);
  }

  /** Returns the same texts as {@link String#split(String, int)}. */
  public AsciiString[] split(String expr, int max) {
    return Arrays.stream(Pattern.compile(expr).split(this, max))
        .map(AsciiString::new)
        .toArray(AsciiString[]::new);
  }

  /**
   * Returns the texts between the delimiters, without copies, and without the empty ones at the
   * end; this text alone if there is no delimiter.
   */
  public AsciiString[] split(char delim) {
    List<AsciiString> parts = new ArrayList<>();
    int start = 0;
    for (int end = indexOf(delim, 0); end >= 0; end = indexOf(delim, start)) {
      parts.add(subSequence(start, end, false));
      start = end + 1;
    }
    parts.add(subSequence(start, length, false));
    int count = parts.size();
    while (start > 0 && count > 0 && parts.get(count - 1).isEmpty()) {
      count--;
    }
    return parts.subList(0, count).toArray(AsciiString[]::new);
  }

  // Numbers

  /** Returns whether the first byte is other than 0; false if there is none. */
  public boolean parseBoolean() {
    return length > 0 && value[offset] != 0;
  }

  /** Returns the first two bytes as one character, big endian. */
  public char parseChar() {
    return parseChar(0);
  }

  /** Returns two bytes from {@code start} on as one character, big endian. */
  public char parseChar(int start) {
    Objects.checkFromIndexSize(start, Character.BYTES, length);
    return (char) (charAt(start) << Byte.SIZE | charAt(start + 1));
  }

  /** Parses all characters as a decimal number, as {@link #parseShort(int, int, int)} does. */
  public short parseShort() {
    return parseShort(0, length, DECIMAL);
  }

  /** Parses all characters as a number, as {@link #parseShort(int, int, int)} does. */
  public short parseShort(int radix) {
    return parseShort(0, length, radix);
  }

  /** Parses characters as a decimal number, as {@link #parseShort(int, int, int)} does. */
  public short parseShort(int start, int end) {
    return parseShort(start, end, DECIMAL);
  }

  /**
   * Parses the characters from {@code start} to {@code end}, exclusive: digits, which a minus sign
   * may precede.
   *
   * @throws NumberFormatException if the characters are no number, or if the number does not fit
   */
  public short parseShort(int start, int end, int radix) {
    return (short) parse(start, end, radix, Short.MIN_VALUE);
  }

  /** Parses all characters as a decimal number, as {@link #parseInt(int, int, int)} does. */
  public int parseInt() {
    return parseInt(0, length, DECIMAL);
  }

  /** Parses all characters as a number, as {@link #parseInt(int, int, int)} does. */
  public int parseInt(int radix) {
    return parseInt(0, length, radix);
  }

  /** Parses characters as a decimal number, as {@link #parseInt(int, int, int)} does. */
  public int parseInt(int start, int end) {
    return parseInt(start, end, DECIMAL);
  }

  /**
   * Parses the characters from {@code start} to {@code end}, exclusive: digits, which a minus sign
   * may precede.
   *
   * @throws NumberFormatException if the characters are no number, or if the number does not fit
   */
  public int parseInt(int start, int end, int radix) {
    return (int) parse(start, end, radix, Integer.MIN_VALUE);
  }

  /** Parses all characters as a decimal number, as {@link #parseLong(int, int, int)} does. */
  public long parseLong() {
    return parseLong(0, length, DECIMAL);
  }

  /** Parses all characters as a number, as {@link #parseLong(int, int, int)} does. */
  public long parseLong(int radix) {
    return parseLong(0, length, radix);
  }

  /** Parses characters as a decimal number, as {@link #parseLong(int, int, int)} does. */
  public long parseLong(int start, int end) {
    return parseLong(start, end, DECIMAL);
  }

  /**
   * Parses the characters from {@code start} to {@code end}, exclusive: digits, which a minus sign
   * may precede.
   *
   * @throws NumberFormatException if the characters are no number, or if the number does not fit
   */
  public long parseLong(int start, int end, int radix) {
    return parse(start, end, radix, Long.MIN_VALUE);
  }

  /** Parses the text as {@link Float#parseFloat} does. */
  public float parseFloat() {
    return parseFloat(0, length);
  }

  /** Parses part of the text as {@link Float#parseFloat} does. */
  public float parseFloat(int start, int end) {
    return Float.parseFloat(toString(start, end));
  }

  /** Parses the text as {@link Double#parseDouble} does. */
  public double parseDouble() {
    return parseDouble(0, length);
  }

  /** Parses part of the text as {@link Double#parseDouble} does. */
  public double parseDouble(int start, int end) {
    return Double.parseDouble(toString(start, end));
  }

  /** Parses a number from {@code minimum} to {@code -minimum - 1}, which has no plus sign. */
  private long parse(int start, int end, int radix, long minimum) {
    long number = Long.parseLong(this, start, end, radix);
    if (value[offset + start] == '+' || number < minimum || number > ~minimum) {
      throw new NumberFormatException('"' + toString(start, end) + "\", radix " + radix);
    }
    return number;
  }

  // Hash and equality

  /** Returns a hash of the text, which ignores the case of letters. */
  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = AsciiBytes.hash(value, offset, length);
      hash = known;
    }
    return known;
  }

  /** Returns whether the object is an {@code AsciiString} with the same bytes. */
  @Override
  public boolean equals(@Nullable Object obj) {
    return obj instanceof AsciiString other
        && Arrays.equals(
            value, offset, offset + length, other.value, other.offset, other.offset + other.length);
  }

  /**
   * Returns the same as {@link #equals}, in a time that does not depend on the position of the
   * first difference; for secrets.
   */
  public boolean equalsConstantTime(AsciiString other) {
    return MessageDigest.isEqual(toByteArray(), other.toByteArray());
  }

  /** Returns whether the characters are the same. */
  public boolean contentEquals(@Nullable CharSequence a) {
    return a instanceof AsciiString other ? equals(other) : TextEquality.EXACT.same(this, a);
  }

  /** Returns whether the characters are the same, apart from the case of letters. */
  public boolean contentEqualsIgnoreCase(@Nullable CharSequence string) {
    return (string instanceof AsciiString other && other.length == length)
        ? AsciiBytes.equalsIgnoreCase(value, offset, other.value, other.offset, length)
        : TextEquality.ASCII.same(this, string);
  }

  /** Returns all characters; the same object at each call. */
  @Override
  public String toString() {
    String known = string;
    if (known == null) {
      known = toString(0, length);
      string = known;
    }
    return known;
  }

  /** Returns the characters from {@code start} on. */
  public String toString(int start) {
    return toString(start, length);
  }

  // Static methods for any text

  /** Returns the hash that an {@code AsciiString} of these characters has; 0 for null. */
  public static int hashCode(@Nullable CharSequence value) {
    if (value == null) {
      return 0;
    }
    return value instanceof AsciiString ? value.hashCode() : AsciiBytes.hash(value);
  }

  /** Returns whether {@code b} occurs in {@code a}; false if either is null. */
  public static boolean contains(@Nullable CharSequence a, @Nullable CharSequence b) {
    return TextEquality.EXACT.find(a, b, 0) >= 0;
  }

  /**
   * Returns whether {@code b} occurs in {@code a}, without regard to the case of letters; false if
   * either is null.
   */
  public static boolean containsIgnoreCase(@Nullable CharSequence a, @Nullable CharSequence b) {
    return TextEquality.ASCII.find(a, b, 0) >= 0;
  }

  /** Returns whether both are the same, apart from the case of ASCII letters, or both are null. */
  public static boolean contentEqualsIgnoreCase(
      @Nullable CharSequence a, @Nullable CharSequence b) {
    return a instanceof AsciiString ascii
        ? ascii.contentEqualsIgnoreCase(b)
        : TextEquality.ASCII.same(a, b);
  }

  /**
   * Returns whether a text in a collection is the same as a given text, apart from the case of
   * letters.
   */
  public static boolean containsContentEqualsIgnoreCase(
      Collection<CharSequence> collection, CharSequence value) {
    return collection.stream().anyMatch(element -> contentEqualsIgnoreCase(value, element));
  }

  /**
   * Returns whether {@link #containsContentEqualsIgnoreCase} is true for each text of {@code b}.
   */
  public static boolean containsAllContentEqualsIgnoreCase(
      Collection<CharSequence> a, Collection<CharSequence> b) {
    return b.stream().allMatch(value -> containsContentEqualsIgnoreCase(a, value));
  }

  /** Returns whether both have the same characters, or are null. */
  public static boolean contentEquals(@Nullable CharSequence a, @Nullable CharSequence b) {
    return a instanceof AsciiString ascii ? ascii.contentEquals(b) : TextEquality.EXACT.same(a, b);
  }

  /**
   * Returns the same as {@link String#regionMatches(boolean, int, String, int, int)}, for any
   * texts. Without regard to case, characters are equal if they are equal in upper case or in lower
   * case.
   */
  public static boolean regionMatches(
      @Nullable CharSequence cs,
      boolean ignoreCase,
      int csStart,
      @Nullable CharSequence string,
      int start,
      int length) {
    TextEquality equality = ignoreCase ? TextEquality.anyCase(cs) : TextEquality.EXACT;
    return equality.matches(cs, csStart, string, start, length);
  }

  /** Returns the same as {@code regionMatches}, but only ASCII letters have a case. */
  public static boolean regionMatchesAscii(
      @Nullable CharSequence cs,
      boolean ignoreCase,
      int csStart,
      @Nullable CharSequence string,
      int start,
      int length) {
    TextEquality equality = ignoreCase ? TextEquality.ASCII : TextEquality.EXACT;
    return equality.matches(cs, csStart, string, start, length);
  }

  /** Returns the first index from {@code startPos} on at which a text occurs in any case, or -1. */
  public static int indexOfIgnoreCase(
      @Nullable CharSequence str, @Nullable CharSequence searchStr, int startPos) {
    return TextEquality.anyCase(str).find(str, searchStr, startPos);
  }

  /** Returns the same as {@link #indexOfIgnoreCase}, but only ASCII letters have a case. */
  public static int indexOfIgnoreCaseAscii(
      @Nullable CharSequence str, @Nullable CharSequence searchStr, int startPos) {
    return TextEquality.ASCII.find(str, searchStr, startPos);
  }

  /** Returns the first index from {@code start} on of a character, or -1; -1 for null. */
  public static int indexOf(@Nullable CharSequence cs, char searchChar, int start) {
    if (cs instanceof AsciiString ascii) {
      return ascii.indexOf(searchChar, start);
    }
    return cs == null ? INDEX_NOT_FOUND : cs.toString().indexOf(searchChar, start);
  }

  /** Returns the lower case of an ASCII letter; returns any other character unchanged. */
  public static char toLowerCase(char c) {
    return isUpperCase(c) ? (char) (c | AsciiBytes.CASE_BIT) : c;
  }

  /** Returns whether the byte is one of A to Z. */
  public static boolean isUpperCase(byte value) {
    return value >= 'A' && value <= 'Z';
  }

  /** Returns whether the character is one of A to Z. */
  public static boolean isUpperCase(char value) {
    return value >= 'A' && value <= 'Z';
  }

  /** Returns the byte of a character; {@code '?'} for a character above 255. */
  public static byte c2b(char c) {
    return (byte) (c > LAST_CHAR ? '?' : c);
  }

  /** Returns the character of a byte, 0 to 255. */
  public static char b2c(byte b) {
    return (char) (b & 0xFF);
  }

  private record Hasher(boolean ignoreCase) implements HashingStrategy<CharSequence> {
    @Override
    public int hashCode(@Nullable CharSequence text) {
      return AsciiString.hashCode(text);
    }

    @Override
    public boolean equals(@Nullable CharSequence a, @Nullable CharSequence b) {
      return ignoreCase
          ? AsciiString.contentEqualsIgnoreCase(a, b)
          : AsciiString.contentEquals(a, b);
    }
  }
}
