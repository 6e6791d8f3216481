/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the settings of this process: {@code -Dcistern.<key>}, or {@code
 * -Ddev.cistern.<key>}, the name of a Netty property after a change of imports. A value that cannot
 * be read is ignored, and is logged once.
 */
public final class Settings {
  private static final String[] PREFIXES = {"cistern.", "dev.cistern."};

  private Settings() {}

  /** Returns the text of a setting, or null if it is not set. */
  public static @Nullable String text(String key) {
    for (String prefix : PREFIXES) {
      try {
        String value = System.getProperty(prefix + key);
        if (value != null && !value.isBlank()) {
          return value.trim();
        }
      } catch (SecurityException denied) {
        // counts as not set
      }
    }
    return null;
  }

  /** Returns a setting that is true or false. */
  public static boolean flag(String key, boolean defaultValue) {
    String text = text(key);
    if (text == null) {
      return defaultValue;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "1" -> true;
      case "false", "no", "0" -> false;
      default -> refuse(key, text, "true or false", defaultValue);
    };
  }

  /** Returns a setting that is a whole number from {@code minimum} to {@code maximum}. */
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
      // refused below, like a value out of range
    }
    return refuse(key, text, "a number from " + minimum + " to " + maximum, defaultValue);
  }

  /**
   * Returns a setting that is an {@code int}, as {@link #number(String, long, long, long)} does.
   */
  public static int number(String key, int defaultValue, int minimum, int maximum) {
    return (int) number(key, (long) defaultValue, (long) minimum, (long) maximum);
  }

  /**
   * Returns a setting that is a power of two, or 0 if {@code minimum} allows it, as {@link
   * #number(String, int, int, int)} does.
   */
  public static int powerOfTwo(String key, int defaultValue, int minimum, int maximum) {
    int value = number(key, defaultValue, minimum, maximum);
    return Integer.bitCount(value) <= 1
        ? value
        : refuse(key, Integer.toString(value), "a power of two", defaultValue);
  }

  /**
   * Returns a setting that is a constant of an enumeration, given by its name in any case, or by
   * its ordinal.
   */
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
    return refuse(key, text, "one of " + Arrays.toString(choices), defaultValue);
  }

  private static <T> T refuse(String key, String text, String expected, T defaultValue) {
    System.getLogger(Settings.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "{0}{1}={2} is not {3}; using {4}",
            PREFIXES[0],
            key,
            text,
            expected,
            String.valueOf(defaultValue));
    return defaultValue;
  }
}
