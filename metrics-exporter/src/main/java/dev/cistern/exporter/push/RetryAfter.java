/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After} of RFC 9110, section 10.2.3: seconds or a date. */
final class RetryAfter {
  private static final long MAX_MILLIS = TimeUnit.HOURS.toMillis(1);

  private RetryAfter() {}

  /**
   * Returns the milliseconds to wait, 0 to 1 h; 0 without a header, or with a malformed one.
   *
   * @param nowMillis the time, milliseconds since the epoch
   */
  static long millis(@Nullable String header, long nowMillis) {
    if (header == null) {
      return 0;
    }
    try {
      String text = header.strip();
      boolean isNumber = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
      long millis =
          isNumber
              ? TimeUnit.SECONDS.toMillis(text.length() > 9 ? MAX_MILLIS : Long.parseLong(text))
              : Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)).toEpochMilli()
                  - nowMillis;
      return Math.max(0, Math.min(MAX_MILLIS, millis));
    } catch (DateTimeException malformed) {
      return 0;
    }
  }
}
