/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.util.Iterator;

/** Reads the values of options. An error message names the option and the valid values. */
final class Arguments {
  private Arguments() {}

  /** Returns the value after an option. */
  static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  static int number(String option, String text, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The error message is the same as for a number out of range.
    }
    throw new IllegalArgumentException(
        option + " must be a number from " + min + " to " + max + ", not " + text);
  }
}
