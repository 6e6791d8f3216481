/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text of one byte a character, over an array or part of one (seed row D4). A byte stands for the
 * character of the same number, 0 to 255; a character beyond becomes {@code '?'}. Only the letters
 * of ASCII have a case. The hash, which leaves the case of letters out, is kept once it was asked
 * for, and so is the {@link #toString() string}; see {@link #arrayChanged}.
 *
 * <p>An index or a range outside of the text fails with an {@code IndexOutOfBoundsException}.
 */
@SuppressWarnings("ComparableType") // as in the API that this follows
public final class AsciiString extends ByteText implements Comparable<CharSequence> {
  /** No characters. */
  public static final AsciiString EMPTY_STRING = cached("");

  /** What a search gives that found nothing. */
  public static final int INDEX_NOT_FOUND = -1;

  /** By {@link #hashCode(CharSequence)} and {@link #contentEqualsIgnoreCase}. */
  public static final HashingStrategy<CharSequence> CASE_INSENSITIVE_HASHER = new Hasher(true);

  /** By {@link #hashCode(CharSequence)} and {@link #contentEquals}. */
  public static final HashingStrategy<CharSequence> CASE_SENSITIVE_HASHER = new Hasher(false);

  private static final char LAST_CHAR = 255;
  private static final char CASE_BIT = 0x20;

  /** 0: not yet known. Written by any thread, always to the same value. */
  private int hash;

  private @Nullable String string;

  /** A copy of an array. */
  public AsciiString(byte[] value) {
    this(value, true);
  }

  /** A copy of an array, or, without {@code copy}, a view of it that must not be written to. */
  public AsciiString(byte[] value, boolean copy) {
    this(value, 0, value.length, copy);
  }

  /** As {@link #AsciiString(byte[], boolean)}, of part of an array. */
  public AsciiString(byte[] value, int start, int length, boolean copy) {
    super(value, start, length, copy);
  }

  /** A copy of what remains in a buffer, whose position stays. */
  public AsciiString(ByteBuffer value) {
    this(value, true);
  }

  /** What remains in a buffer: without {@code copy}, and where it has an array, a view of that. */
  public AsciiString(ByteBuffer value, boolean copy) {
    this(value, value.position(), value.remaining(), copy);
  }

  /** As {@link #AsciiString(ByteBuffer, boolean)}, of the bytes from index {@code start} on. */
  public AsciiString(ByteBuffer value, int start, int length, boolean copy) {
    super(value, start, length, copy);
  }

  /** Characters, each as one byte. */
  public AsciiString(char[] value) {
    this(value, 0, value.length);
  }

  /** As {@link #AsciiString(char[])}, of part of an array. */
  public AsciiString(char[] value, int start, int length) {
    this(CharBuffer.wrap(value), start, length);
  }

  /** Characters, as the bytes that they have in a charset. */
  public AsciiString(char[] value, Charset charset) {
    this(value, charset, 0, value.length);
  }

  /** As {@link #AsciiString(char[], Charset)}, of part of an array. */
  public AsciiString(char[] value, Charset charset, int start, int length) {
    this(new String(value, start, length).getBytes(charset), false);
  }

  /** Characters, each as one byte. */
  public AsciiString(CharSequence value) {
    this(value, 0, value.length());
  }

  /** As {@link #AsciiString(CharSequence)}, of part of a text. */
  public AsciiString(CharSequence value, int start, int length) {
    super(value, start, length);
  }

  /** Characters, as the bytes that they have in a charset. */
  public AsciiString(CharSequence value, Charset charset) {
    this(value, charset, 0, value.length());
  }

  /** As {@link #AsciiString(CharSequence, Charset)}, of part of a text. */
  public AsciiString(CharSequence value, Charset charset, int start, int length) {
    this(value.subSequence(start, start + length).toString().getBytes(charset), false);
  }

  /** The text itself if it is an {@code AsciiString}, or else a copy. */
  public static AsciiString of(CharSequence string) {
    return string instanceof AsciiString ascii ? ascii : new AsciiString(string);
  }

  /** A copy whose {@link #toString()} gives the very string. */
  public static AsciiString cached(String string) {
    AsciiString ascii = new AsciiString(string);
    ascii.string = string;
    return ascii;
  }

  /** Forgets the hash and the string that were kept: to be called after a write to the array. */
  public void arrayChanged() {
    string = null;
    hash = 0;
  }

  // Characters

  /** True if the text occurs in this one. */
  public boolean contains(CharSequence sequence) {
    return indexOf(sequence) >= 0;
  }

  /** Orders by character, the shorter one first where one begins the other. */
  @Override
  public int compareTo(CharSequence other) {
    int common = Math.min(length, other.length());
    for (int i = 0; i < common; i++) {
      int order = b2c(value[offset + i]) - other.charAt(i);
      if (order != 0) {
        return order;
      }
    }
    return length - other.length();
  }

  /** This text and then the other. */
  public AsciiString concat(CharSequence other) {
    if (other.length() == 0) {
      return this;
    }
    AsciiString tail = of(other);
    if (isEmpty()) {
      return tail;
    }
    byte[] both = Arrays.copyOfRange(value, offset, offset + length + tail.length);
    System.arraycopy(tail.value, tail.offset, both, length, tail.length);
    return new AsciiString(both, false);
  }

  /** The characters from {@code start} on, copied. */
  public AsciiString subSequence(int start) {
    return subSequence(start, length);
  }

  /** The characters from {@code start} up to before {@code end}, copied. */
  @Override
  public AsciiString subSequence(int start, int end) {
    return subSequence(start, end, true);
  }

  /** As {@link #subSequence(int, int)}; without {@code copy} over the same array. */
  public AsciiString subSequence(int start, int end, boolean copy) {
    checkSpan(start, end);
    if (end - start == length) {
      return this;
    }
    return start == end ? EMPTY_STRING : new AsciiString(value, offset + start, end - start, copy);
  }

  /** As {@link #indexOf(CharSequence, int)}, from the start. */
  public int indexOf(CharSequence string) {
    return indexOf(string, 0);
  }

  /** The first index from {@code start} on where the text occurs, or -1. */
  public int indexOf(CharSequence string, int start) {
    int from = Math.max(start, 0);
    if (string.length() == 0) {
      return Math.min(from, length);
    }
    int last = length - string.length();
    while (from <= last) {
      from = indexOf(string.charAt(0), from);
      if (from < 0 || regionMatches(from, string, 0, string.length())) {
        return from;
      }
      from++;
    }
    return INDEX_NOT_FOUND;
  }

  /** The first index from {@code start} on of a character, or -1. */
  public int indexOf(char ch, int start) {
    int from = Math.max(start, 0);
    if (ch <= LAST_CHAR && from < length) {
      byte wanted = (byte) ch;
      for (int i = offset + from; i < offset + length; i++) {
        if (value[i] == wanted) {
          return i - offset;
        }
      }
    }
    return INDEX_NOT_FOUND;
  }

  /** As {@link #lastIndexOf(CharSequence, int)}, from the end. */
  public int lastIndexOf(CharSequence string) {
    return lastIndexOf(string, length);
  }

  /** The last index, {@code start} at the most, where the text occurs, or -1. */
  public int lastIndexOf(CharSequence string, int start) {
    int i = Math.min(start, length - string.length());
    while (i >= 0 && !regionMatches(i, string, 0, string.length())) {
      i--;
    }
    return Math.max(i, INDEX_NOT_FOUND);
  }

  /** True if {@code length} characters here and there are the same; false if either has fewer. */
  public boolean regionMatches(int thisStart, CharSequence string, int start, int length) {
    return regionMatches(false, thisStart, string, start, length);
  }

  /** As {@link #regionMatches(int, CharSequence, int, int)}, or without regard to case. */
  public boolean regionMatches(
      boolean ignoreCase, int thisStart, CharSequence string, int start, int length) {
    return TextEquality.ascii(ignoreCase).matches(this, thisStart, string, start, length);
  }

  /** A text with each {@code oldChar} replaced, or this one if it has none. */
  public AsciiString replace(char oldChar, char newChar) {
    int i = indexOf(oldChar, 0);
    if (i < 0) {
      return this;
    }
    byte[] replaced = toByteArray();
    for (; i < length; i++) {
      if (replaced[i] == (byte) oldChar) {
        replaced[i] = c2b(newChar);
      }
    }
    return new AsciiString(replaced, false);
  }

  /** True if this text begins with that one. */
  public boolean startsWith(CharSequence prefix) {
    return startsWith(prefix, 0);
  }

  /** True if the characters from {@code start} on begin with that text. */
  public boolean startsWith(CharSequence prefix, int start) {
    return regionMatches(start, prefix, 0, prefix.length());
  }

  /** True if this text ends with that one. */
  public boolean endsWith(CharSequence suffix) {
    return regionMatches(length - suffix.length(), suffix, 0, suffix.length());
  }

  /** With each letter in lower case; this text if there is nothing to change. */
  public AsciiString toLowerCase() {
    byte[] lower = AsciiBytes.turnCase(value, offset, length, 'A');
    return lower == null ? this : new AsciiString(lower, false);
  }

  /** With each letter in upper case; this text if there is nothing to change. */
  public AsciiString toUpperCase() {
    byte[] upper = AsciiBytes.turnCase(value, offset, length, 'a');
    return upper == null ? this : new AsciiString(upper, false);
  }

  /** Without the blanks and control characters at both ends; the same text if there are none. */
  public AsciiString trim() {
    return (AsciiString) trim(this);
  }

  /** As {@link #trim()}, for any text. */
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

  /** True if all of this text matches a regular expression. */
  public boolean matches(String expr) {
    return Pattern.matches(expr, this);
  }

  /** As {@link String#split(String, int)}. */
  public AsciiString[] split(String expr, int max) {
    return Arrays.stream(Pattern.compile(expr).split(this, max))
        .map(AsciiString::new)
        .toArray(AsciiString[]::new);
  }

  /**
   * What is between the delimiters, without copies; without the empty texts at the end if the last
   * character is a delimiter. This text alone if there is no delimiter.
   */
  public AsciiString[] split(char delim) {
    List<AsciiString> parts = new ArrayList<>();
    int start = 0;
    for (int end = indexOf(delim, 0); end >= 0; end = indexOf(delim, start)) {
      parts.add(subSequence(start, end, false));
      start = end + 1;
    }
    if (start < length || start == 0) {
      parts.add(subSequence(start, length, false));
    }
    int count = parts.size();
    while (start > 0 && count > 0 && parts.get(count - 1).isEmpty()) {
      count--;
    }
    return parts.subList(0, count).toArray(AsciiString[]::new);
  }

  // Hash and equality

  /** The same for texts that differ in the case of letters only. */
  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = AsciiBytes.hash(value, offset, length);
      hash = known;
    }
    return known;
  }

  /** True for an {@code AsciiString} with the same bytes. */
  @Override
  public boolean equals(@Nullable Object obj) {
    return obj == this || (obj instanceof AsciiString other && hasBytesOf(other));
  }

  private boolean hasBytesOf(AsciiString other) {
    // Each read once: another thread may compute one meanwhile.
    int mine = hash;
    int others = other.hash;
    return (mine == others || mine == 0 || others == 0)
        && Arrays.equals(
            value, offset, offset + length, other.value, other.offset, other.offset + other.length);
  }

  /** As {@link #equals}, in a time that does not depend on where the bytes differ: for secrets. */
  public boolean equalsConstantTime(AsciiString other) {
    if (length != other.length) {
      return false;
    }
    int difference = 0;
    for (int i = 0; i < length; i++) {
      difference |= value[offset + i] ^ other.value[other.offset + i];
    }
    return difference == 0;
  }

  /** True if the characters are the same. */
  public boolean contentEquals(@Nullable CharSequence a) {
    return a instanceof AsciiString other ? equals(other) : TextEquality.EXACT.same(this, a);
  }

  /** True if the characters are the same but for the case of letters. */
  public boolean contentEqualsIgnoreCase(@Nullable CharSequence string) {
    return (string instanceof AsciiString other && other.length == length)
        ? AsciiBytes.equalsIgnoreCase(value, offset, other.value, other.offset, length)
        : TextEquality.ASCII.same(this, string);
  }

  /** All characters; the same object at each call. */
  @Override
  public String toString() {
    String known = string;
    if (known == null) {
      known = toString(0, length);
      string = known;
    }
    return known;
  }

  /** The characters from {@code start} on. */
  public String toString(int start) {
    return toString(start, length);
  }

  // Any texts

  /** The hash that an {@code AsciiString} of these characters has; 0 for null. */
  public static int hashCode(@Nullable CharSequence value) {
    if (value == null) {
      return 0;
    }
    return value instanceof AsciiString ? value.hashCode() : AsciiBytes.hash(value);
  }

  /** True if {@code b} occurs in {@code a}; false if either is null. */
  public static boolean contains(@Nullable CharSequence a, @Nullable CharSequence b) {
    return TextEquality.EXACT.find(a, b, 0) >= 0;
  }

  /** As {@link #contains(CharSequence, CharSequence)}, without regard to the case of letters. */
  public static boolean containsIgnoreCase(@Nullable CharSequence a, @Nullable CharSequence b) {
    return TextEquality.ASCII.find(a, b, 0) >= 0;
  }

  /** True if both are the same, or null; the case of the letters of ASCII does not count. */
  public static boolean contentEqualsIgnoreCase(
      @Nullable CharSequence a, @Nullable CharSequence b) {
    return a instanceof AsciiString ascii
        ? ascii.contentEqualsIgnoreCase(b)
        : TextEquality.ASCII.same(a, b);
  }

  /** True if one of a collection is the same as a text but for the case of letters. */
  public static boolean containsContentEqualsIgnoreCase(
      Collection<CharSequence> collection, CharSequence value) {
    return collection.stream().anyMatch(element -> contentEqualsIgnoreCase(value, element));
  }

  /** True if {@link #containsContentEqualsIgnoreCase} holds for each of {@code b}. */
  public static boolean containsAllContentEqualsIgnoreCase(
      Collection<CharSequence> a, Collection<CharSequence> b) {
    return b.stream().allMatch(value -> containsContentEqualsIgnoreCase(a, value));
  }

  /** True if both have the same characters, or are null. */
  public static boolean contentEquals(@Nullable CharSequence a, @Nullable CharSequence b) {
    return a instanceof AsciiString ascii ? ascii.contentEquals(b) : TextEquality.EXACT.same(a, b);
  }

  /**
   * As {@link String#regionMatches(boolean, int, String, int, int)}, for any texts; characters are
   * the same without regard to case if they are so in upper or in lower case.
   */
  public static boolean regionMatches(
      @Nullable CharSequence cs,
      boolean ignoreCase,
      int csStart,
      @Nullable CharSequence string,
      int start,
      int length) {
    TextEquality equality = ignoreCase ? TextEquality.anyCase(cs) : TextEquality.EXACT;
    return cs != null && string != null && equality.matches(cs, csStart, string, start, length);
  }

  /** As {@code regionMatches}, where only the letters of ASCII have a case. */
  public static boolean regionMatchesAscii(
      @Nullable CharSequence cs,
      boolean ignoreCase,
      int csStart,
      @Nullable CharSequence string,
      int start,
      int length) {
    TextEquality equality = TextEquality.ascii(ignoreCase);
    return cs != null && string != null && equality.matches(cs, csStart, string, start, length);
  }

  /** The first index from {@code startPos} on where a text occurs in any case, or -1. */
  public static int indexOfIgnoreCase(
      @Nullable CharSequence str, @Nullable CharSequence searchStr, int startPos) {
    return TextEquality.anyCase(str).find(str, searchStr, startPos);
  }

  /** As {@link #indexOfIgnoreCase}, where only the letters of ASCII have a case. */
  public static int indexOfIgnoreCaseAscii(
      @Nullable CharSequence str, @Nullable CharSequence searchStr, int startPos) {
    return TextEquality.ASCII.find(str, searchStr, startPos);
  }

  /** The first index from {@code start} on of a character, or -1; -1 for null. */
  public static int indexOf(@Nullable CharSequence cs, char searchChar, int start) {
    if (cs instanceof String string) {
      return string.indexOf(searchChar, start);
    } else if (cs instanceof AsciiString ascii) {
      return ascii.indexOf(searchChar, start);
    }
    for (int i = Math.max(start, 0); cs != null && i < cs.length(); i++) {
      if (cs.charAt(i) == searchChar) {
        return i;
      }
    }
    return INDEX_NOT_FOUND;
  }

  /** The lower case of a letter of ASCII; any other character as it is. */
  public static char toLowerCase(char c) {
    return isUpperCase(c) ? (char) (c | CASE_BIT) : c;
  }

  /** True for the bytes of A to Z. */
  public static boolean isUpperCase(byte value) {
    return value >= 'A' && value <= 'Z';
  }

  /** True for A to Z. */
  public static boolean isUpperCase(char value) {
    return value >= 'A' && value <= 'Z';
  }

  /** The byte of a character, {@code '?'} above 255. */
  public static byte c2b(char c) {
    return (byte) (c > LAST_CHAR ? '?' : c);
  }

  /** The character of a byte, 0 to 255. */
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
