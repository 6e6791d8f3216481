/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Figures and names, written for people. */
final class Text {
  private static final String[] BINARY_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int BINARY_STEP = 1024;

  private Text() {}

  /** Bytes with a unit that leaves at most four digits before the point, such as 12.5 MiB. */
  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= BINARY_STEP && unit < BINARY_UNITS.length - 1) {
      value /= BINARY_STEP;
      unit++;
    }
    String format = unit == 0 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, BINARY_UNITS[unit]);
  }

  /** A count with its thousands marked. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A part of a whole in percent; a dash if there is no whole. */
  static String percent(long part, long whole) {
    return whole == 0 ? "–" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  /** A time in UTC, to the second. */
  static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Text that came from the application, without what a terminal would obey. */
  static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints().forEach(c -> plain.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return plain.toString();
  }

  /** Text that came from the application, for HTML. */
  static String html(String text) {
    return plain(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
