/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import dev.cistern.util.Settings;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the default limit of direct memory: our property, the JVM's option, or the heap size. */
final class MaxDirectMemory {
  private static final String KEY = "maxDirectMemory";
  static final String PROPERTY = "cistern." + KEY;
  private static final String JVM_OPTION = "-XX:MaxDirectMemorySize=";

  private MaxDirectMemory() {}

  static long bytes() {
    return Settings.number(KEY, byDefault(), 0L, Long.MAX_VALUE);
  }

  private static long byDefault() {
    Long option = jvmOption();
    // Zero means "not set" to HotSpot, which then takes the maximum heap size, and so do we.
    return option != null && option > 0 ? option : Runtime.getRuntime().maxMemory();
  }

  private static @Nullable Long jvmOption() {
    List<String> arguments;
    try {
      arguments = ManagementFactory.getRuntimeMXBean().getInputArguments();
    } catch (LinkageError | SecurityException noManagementModule) {
      return null;
    }
    Long found = null;
    for (String argument : arguments) {
      if (argument.startsWith(JVM_OPTION)) {
        found = parse(argument.substring(JVM_OPTION.length()));
      }
    }
    return found;
  }

  /** Reads a size as HotSpot writes it: digits and an optional k, m, g or t. */
  static @Nullable Long parse(String text) {
    String digits = text.trim().toLowerCase(Locale.ROOT);
    if (digits.isEmpty()) {
      return null;
    }
    int shift = 10 * (1 + "kmgt".indexOf(digits.charAt(digits.length() - 1)));
    if (shift > 0) {
      digits = digits.substring(0, digits.length() - 1);
    }
    try {
      return Math.multiplyExact(Long.parseLong(digits), 1L << shift);
    } catch (ArithmeticException | NumberFormatException malformed) {
      return null;
    }
  }
}
