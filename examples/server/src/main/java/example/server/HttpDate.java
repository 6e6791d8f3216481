/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A date in the fixed format of 29 bytes (RFC 9110, 5.6.7), such as {@code Sun, 06 Nov 1994
 * 08:49:37 GMT}.
 */
final class HttpDate {
  static final int BYTES = 29;

  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private HttpDate() {}

  static byte[] format(long epochSeconds) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(epochSeconds, 0, ZoneOffset.UTC);
    StringBuilder text =
        new StringBuilder(BYTES).append(word(DAYS, time.getDayOfWeek().getValue())).append(", ");
    append(text, time.getDayOfMonth(), ' ').append(word(MONTHS, time.getMonthValue())).append(' ');
    text.append(time.getYear()).append(' ');
    append(text, time.getHour(), ':');
    append(text, time.getMinute(), ':');
    append(text, time.getSecond(), ' ').append("GMT");
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String word(String words, int number) {
    return words.substring(3 * (number - 1), 3 * number);
  }

  private static StringBuilder append(StringBuilder text, int number, char after) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10)).append(after);
  }
}
