/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.util.Locale;

/**
 * Length of the tests that find more with more rounds, operations or threads. The system property
 * {@code cistern.test.length} sets it: {@code short} (default build), {@code full} ({@code -Pfull})
 * or {@code long} ({@code -Plong}).
 */
public enum TestLength {
  SHORT,
  FULL,
  LONG;

  private static final String PROPERTY = "cistern.test.length";
  private static final TestLength CURRENT =
      valueOf(System.getProperty(PROPERTY, "short").toUpperCase(Locale.ROOT));

  /** Returns the value for the length of this run. */
  public static int choose(int shortValue, int fullValue, int longValue) {
    return switch (CURRENT) {
      case SHORT -> shortValue;
      case FULL -> fullValue;
      case LONG -> longValue;
    };
  }

  /** Returns whether this run has the short form. */
  public static boolean isShort() {
    return CURRENT == SHORT;
  }

  /** Returns whether this run has the long form. */
  public static boolean isLong() {
    return CURRENT == LONG;
  }
}
