/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A table of bytes for people: sixteen in each row, in hexadecimal and as text. */
final class HexDump {
  private static final int BYTES_PER_ROW = 16;
  private static final String RULE =
      "+--------+-------------------------------------------------+----------------+";
  private static final String HEAD =
      """
               +-------------------------------------------------+
               |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |
      """;

  private HexDump() {}

  /** Appends the table of a range that the caller has checked, and that is not empty. */
  static void append(StringBuilder target, ByteBuf buffer, int offset, int length) {
    target.append(HEAD.replace("\n", System.lineSeparator())).append(RULE);
    for (int row = 0; row < length; row += BYTES_PER_ROW) {
      byte[] bytes = new byte[Math.min(BYTES_PER_ROW, length - row)];
      buffer.getBytes(offset + row, bytes);
      String hex = HexFormat.ofDelimiter(" ").formatHex(bytes);
      String text = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
      target.append("%n|%08x| %-47s |%-16s|".formatted(row, hex, text));
    }
    target.append(System.lineSeparator()).append(RULE);
  }
}
