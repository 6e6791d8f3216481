/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;

/** What the grammar of HTTP asks of bytes (RFC 9110, 5.6). They are looked at where they lie. */
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

  /** Whether there is a token, and nothing else: the name of a method or of a field. */
  static boolean isToken(ByteBuf bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!TOKEN[bytes.getByte(i) & 0xff]) {
        return false;
      }
    }
    return start < end;
  }

  /** Whether there is something, without a blank or a control character: the target. */
  static boolean isVisible(ByteBuf bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      int value = bytes.getByte(i) & 0xff;
      if (value <= ' ' || value == DELETE) {
        return false;
      }
    }
    return start < end;
  }

  /** Whether there is no control character other than a tab: the value of a field. */
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
   * Whether a word begins at {@code start}, in either case.
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

  /** Whether a list that is separated by commas has a word. */
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

  /** Whether there is nothing but a word, and blanks around it. */
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

  /** A number of 1 to 18 digits; -1 for anything else. */
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
