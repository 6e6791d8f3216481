/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of this process: {@code -Dcistern.<key>}, or else {@code -Ddev.cistern.<key>},
 * the name that a change of imports would give a property of old. What cannot be read counts as not
 * given, and is said once on {@code System.Logger}.
 */
public final class Settings {
  private static final String[] PREFIXES = {"cistern.", "dev.cistern."};

  private Settings() {}

  /** The text of a setting, or null if it is not given. */
  public static @Nullable String text(String key) {
    for (String prefix : PREFIXES) {
      String value = read(prefix + key);
      if (value != null && !value.isBlank()) {
        return value.trim();
      }
    }
    return null;
  }

  private static @Nullable String read(String name) {
    try {
      return System.getProperty(name);
    } catch (SecurityException denied) {
      return null;
    }
  }

  /** A setting that is true or false. */
  public static boolean flag(String key, boolean defaultValue) {
    String text = text(key);
    if (text == null) {
      return defaultValue;
    }
    switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "1" -> {
        return true;
      }
      case "false", "no", "0" -> {
        return false;
      }
      default -> {
        warn(key, text, "true or false", defaultValue);
        return defaultValue;
      }
    }
  }

  /** A setting that is a whole number from {@code minimum} to {@code maximum}. */
  public static long number(String key, long defaultValue, long minimum, long maximum) {
    String text = text(key);
    if (text == null) {
      return defaultValue;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= minimum && value <= maximum) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // said below, as a value out of range is
    }
    warn(key, text, "a number from " + minimum + " to " + maximum, defaultValue);
    return defaultValue;
  }

  /** As {@link #number(String, long, long, long)}, for an {@code int}. */
  public static int number(String key, int defaultValue, int minimum, int maximum) {
    return (int) number(key, (long) defaultValue, (long) minimum, (long) maximum);
  }

  /** As {@link #number(String, int, int, int)}, for a power of two, or 0 where that is allowed. */
  public static int powerOfTwo(String key, int defaultValue, int minimum, int maximum) {
    int value = number(key, defaultValue, minimum, maximum);
    if (Integer.bitCount(value) <= 1) {
      return value;
    }
    warn(key, Integer.toString(value), "a power of two", defaultValue);
    return defaultValue;
  }

  /** A setting that is one of an enumeration: by name in any case, or by its ordinal. */
  public static <E extends Enum<E>> E choice(String key, E defaultValue) {
    String text = text(key);
    if (text == null) {
      return defaultValue;
    }
    E[] choices = defaultValue.getDeclaringClass().getEnumConstants();
    for (E choice : choices) {
      if (choice.name().equalsIgnoreCase(text) || text.equals(Integer.toString(choice.ordinal()))) {
        return choice;
      }
    }
    warn(key, text, "one of " + Arrays.toString(choices), defaultValue);
    return defaultValue;
  }

  private static void warn(String key, String text, String expected, Object used) {
    System.getLogger(Settings.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "{0}{1}={2} is not {3}; using {4}",
            PREFIXES[0],
            key,
            text,
            expected,
            String.valueOf(used));
  }
}
