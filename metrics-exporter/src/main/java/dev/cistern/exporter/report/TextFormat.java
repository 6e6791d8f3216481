/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Formats of figures and names for people. */
public final class TextFormat {
  private static final String[] BINARY_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int BINARY_STEP = 1024;
  private static final long MILLIS_PER_SECOND = 1_000;

  private TextFormat() {}

  /** Returns bytes with a unit and up to four digits before the point, such as 12.5 MiB. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= BINARY_STEP && unit < BINARY_UNITS.length - 1) {
      value /= BINARY_STEP;
      unit++;
    }
    String format = unit == 0 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, BINARY_UNITS[unit]);
  }

  /** Returns an estimate of bytes, with a unit. */
  public static String bytes(double bytes) {
    return bytes(Math.round(bytes));
  }

  /** Returns a change in bytes, with its sign. */
  public static String change(long bytes) {
    if (bytes == 0) {
      return "0 B";
    }
    return bytes < 0 ? "-" + bytes(-(double) bytes) : "+" + bytes(bytes);
  }

  /** Returns a count with separators of thousands. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Returns a count with a noun; the plural of {@code thing} ends in s. */
  public static String count(long count, String thing) {
    return count(count) + " " + thing + (count == 1 ? "" : "s");
  }

  /** Returns a time in UTC, to the second. */
  public static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns a span of time in its two largest units. */
  public static String duration(long millis) {
    if (millis < MILLIS_PER_SECOND) {
      return Math.max(0, millis) + " ms";
    }
    long seconds = millis / MILLIS_PER_SECOND;
    if (seconds < 60) {
      return String.format(Locale.ROOT, "%.1f s", (double) millis / MILLIS_PER_SECOND);
    }
    long minutes = seconds / 60;
    if (minutes < 60) {
      return minutes + " min " + seconds % 60 + " s";
    }
    long hours = minutes / 60;
    return hours < 24
        ? hours + " h " + minutes % 60 + " min"
        : hours / 24 + " d " + hours % 24 + " h";
  }

  /** Returns text of the application without characters that control a terminal. */
  public static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints().forEach(c -> plain.appendCodePoint(isPlain(c) ? c : '?'));
    return plain.toString();
  }

  /**
   * Returns whether a character is safe: no control character, no change of the text direction, and
   * no unpaired surrogate.
   */
  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  /** Returns text of the application, escaped for HTML. */
  public static String html(String text) {
    return plain(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
