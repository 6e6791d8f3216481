/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;

/**
 * Checks for the byte grammar of HTTP (RFC 9110, 5.6). They read the bytes in the buffer, without a
 * copy.
 */
final class Ascii {
  private static final int CASE_BIT = 0x20;
  private static final int DELETE = 0x7f;
  private static final boolean[] TOKEN = new boolean[256];

  static {
    for (char c = '!'; c < DELETE; c++) {
      TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
  }

  private Ascii() {}

  static boolean isToken(byte value) {
    return TOKEN[value & 0xff];
  }

  /** Returns whether the bytes are a token: the name of a method or of a field. */
  static boolean isToken(ByteBuf bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!TOKEN[bytes.getByte(i) & 0xff]) {
        return false;
      }
    }
    return start < end;
  }

  /**
   * Returns whether the bytes are not empty, and contain no blank or control character: the target.
   */
  static boolean isVisible(ByteBuf bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      int value = bytes.getByte(i) & 0xff;
      if (value <= ' ' || value == DELETE) {
        return false;
      }
    }
    return start < end;
  }

  /**
   * Returns whether the bytes contain no control character other than a tab: the value of a field.
   */
  static boolean isText(ByteBuf bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      int value = bytes.getByte(i) & 0xff;
      if ((value < ' ' && value != '\t') || value == DELETE) {
        return false;
      }
    }
    return true;
  }

  static boolean isBlank(byte value) {
    return value == ' ' || value == '\t';
  }

  /**
   * Returns whether a word begins at {@code start}, ignoring case.
   *
   * @param word in lower case; letters and hyphens only
   */
  static boolean matches(ByteBuf bytes, int start, String word) {
    for (int i = 0; i < word.length(); i++) {
      if ((bytes.getByte(start + i) | CASE_BIT) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a comma-separated list contains a word. */
  static boolean listHas(ByteBuf bytes, int start, int end, String word) {
    for (int from = start; from < end; ) {
      int comma = bytes.indexOf(from, end, (byte) ',');
      int to = comma < 0 ? end : comma;
      if (isWord(bytes, from, to, word)) {
        return true;
      }
      from = to + 1;
    }
    return false;
  }

  /** Returns whether the bytes are a word, with optional blanks around it. */
  static boolean isWord(ByteBuf bytes, int start, int end, String word) {
    int from = skipBlanks(bytes, start, end);
    return trimBlanks(bytes, from, end) - from == word.length() && matches(bytes, from, word);
  }

  static int skipBlanks(ByteBuf bytes, int start, int end) {
    int from = start;
    while (from < end && isBlank(bytes.getByte(from))) {
      from++;
    }
    return from;
  }

  static int trimBlanks(ByteBuf bytes, int start, int end) {
    int to = end;
    while (to > start && isBlank(bytes.getByte(to - 1))) {
      to--;
    }
    return to;
  }

  /** Returns a number of 1 to 18 digits; -1 for anything else. */
  static long number(ByteBuf bytes, int start, int end) {
    if (start == end || end - start > 18) {
      return -1;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      int digit = bytes.getByte(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }
}
