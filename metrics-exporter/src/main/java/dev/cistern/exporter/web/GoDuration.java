/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parser of durations in the notation of the Go language: {@code 1s}, {@code 1m30s}, {@code 0.5s}.
 */
final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h)");
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(86_400_000_000_000L);

  private GoDuration() {}

  /** Returns the nanoseconds, up to those of a day; -1 if the text is not a duration. */
  static long nanos(String text) {
    if (text.equals("0")) {
      return 0;
    }
    Matcher parts = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (parts.find() && parts.start() == end) {
      long unit = UNIT_NANOS.getOrDefault(parts.group(2), 0L);
      nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = parts.end();
    }
    return text.isEmpty() || end < text.length() ? -1 : nanos.min(MAX_NANOS).longValue();
  }
}
