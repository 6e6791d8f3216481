/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

/**
 * A parsed line of a stack.
 *
 * @param function the class with its package, and the method
 * @param file the name of the source file; empty if it is not known
 * @param line the number of the line in the file; 0 if it is not known
 */
record Frame(String function, String file, long line) {
  /** Parses {@code class.method(File.java:12)}. A line in another form becomes the function. */
  static Frame parse(String text) {
    int open = text.lastIndexOf('(');
    if (open <= 0 || !text.endsWith(")")) {
      return new Frame(text, "", 0);
    }
    String function = text.substring(0, open);
    String source = text.substring(open + 1, text.length() - 1);
    if (source.equals("Native Method") || source.equals("Unknown Source")) {
      return new Frame(function, "", 0);
    }
    int colon = source.lastIndexOf(':');
    long line = colon < 0 ? -1 : number(source.substring(colon + 1));
    return line < 0
        ? new Frame(function, source, 0)
        : new Frame(function, source.substring(0, colon), line);
  }

  private static long number(String digits) {
    try {
      return digits.startsWith("+") ? -1 : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
