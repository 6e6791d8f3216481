/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of this process: {@code -Dcistern.<key>}, or {@code -Ddev.cistern.<key>}, the
 * name that a change of imports gives a property of Netty. A value that cannot be read counts as
 * not given, and is logged once.
 */
public final class Settings {
  private static final String[] PREFIXES = {"cistern.", "dev.cistern."};

  /** Former names of settings, by their new names. */
  private static final Map<String, String> FORMER_KEYS =
      Map.of(
          "sampleIntervalBytes", "sampleInterval",
          "memory.quarantineMillis", "memory.restMillis",
          "memory.quarantineBytes", "memory.restBytes");

  private Settings() {}

  /** Returns the text of a setting, or null if it is not given. */
  public static @Nullable String text(String key) {
    String text = property(key);
    String former = FORMER_KEYS.get(key);
    if (former != null && property(former) != null) {
      System.getLogger(Settings.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "ignored system property {0}{1}: its new name is {0}{2}",
              PREFIXES[0],
              former,
              key);
    }
    return text;
  }

  private static @Nullable String property(String key) {
    for (String prefix : PREFIXES) {
      try {
        String value = System.getProperty(prefix + key);
        if (value != null && !value.isBlank()) {
          return value.trim();
        }
      } catch (SecurityException denied) {
        // counts as not given
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
      // refused below, as a value out of range is
    }
    return refuse(key, text, "a number from " + minimum + " to " + maximum, defaultValue);
  }

  /** As {@link #number(String, long, long, long)}, for an {@code int}. */
  public static int number(String key, int defaultValue, int minimum, int maximum) {
    return (int) number(key, (long) defaultValue, (long) minimum, (long) maximum);
  }

  /** As {@link #number(String, int, int, int)}, for a power of two, or 0 where that is allowed. */
  public static int powerOfTwo(String key, int defaultValue, int minimum, int maximum) {
    int value = number(key, defaultValue, minimum, maximum);
    return Integer.bitCount(value) <= 1
        ? value
        : refuse(key, Integer.toString(value), "a power of two", defaultValue);
  }

  /** Returns a setting that is one of an enumeration: by name in any case, or by its ordinal. */
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
