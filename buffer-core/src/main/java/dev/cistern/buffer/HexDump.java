/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Bytes as a table for people: sixteen a row, in hexadecimal and as text. Its pieces are made when
 * the first table is.
 */
final class HexDump {
  private static final int BYTES_PER_ROW = 16;
  private static final HexFormat HEX = HexFormat.of();
  private static final String NEW_LINE = System.lineSeparator();
  private static final String HEAD =
      "         +-------------------------------------------------+"
          + NEW_LINE
          + "         |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |"
          + NEW_LINE;
  private static final String RULE =
      "+--------+-------------------------------------------------+----------------+";

  private HexDump() {}

  /** Appends the table of a range that the caller has checked, and that is not empty. */
  static void append(StringBuilder target, ByteBuf buffer, int offset, int length) {
    target.append(HEAD).append(RULE);
    for (int row = 0; row < length; row += BYTES_PER_ROW) {
      byte[] bytes = new byte[Math.min(BYTES_PER_ROW, length - row)];
      buffer.getBytes(offset + row, bytes);
      appendRow(target, row, bytes);
    }
    target.append(NEW_LINE).append(RULE);
  }

  private static void appendRow(StringBuilder target, int row, byte[] bytes) {
    target.append(NEW_LINE).append('|').append(HEX.toHexDigits(row)).append('|');
    char[] text = new char[BYTES_PER_ROW];
    Arrays.fill(text, ' ');
    for (int i = 0; i < BYTES_PER_ROW; i++) {
      target.append(' ');
      if (i < bytes.length) {
        target.append(HEX.toHexDigits(bytes[i]));
        text[i] = bytes[i] > ' ' - 1 && bytes[i] < 0x7F ? (char) bytes[i] : '.';
      } else {
        target.append("  ");
      }
    }
    target.append(" |").append(text).append('|');
  }
}
