/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files, and tables of documents, that tests generate. With {@code -Dcistern.golden=write} the
 * tests regenerate them; otherwise a test fails if one differs.
 */
public final class Generated {
  private Generated() {}

  /** Checks a whole file. */
  public static void check(Path file, String expected) {
    try {
      if ("write".equals(System.getProperty("cistern.golden"))) {
        Files.writeString(file, expected);
      }
      String actual = Files.exists(file) ? Files.readString(file) : "";
      if (!actual.equals(expected)) {
        throw new AssertionError(
            file
                + " is not up to date; -Dcistern.golden=write regenerates it. First difference: "
                + difference(actual, expected));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks the rows of a table of settings, each with its environment variable. */
  public static void checkRows(Path document, List<String> rows) {
    try {
      List<String> lines = Files.readAllLines(document);
      StringBuilder expected = new StringBuilder();
      boolean isWritten = false;
      for (String line : lines) {
        if (!line.matches("\\| `\\w+` \\| `CISTERN_.*")) {
          expected.append(line).append('\n');
        } else if (!isWritten) {
          rows.forEach(row -> expected.append(row).append('\n'));
          isWritten = true;
        }
      }
      check(document, expected.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String difference(String actual, String expected) {
    List<String> is = actual.lines().toList();
    List<String> should = expected.lines().toList();
    int line = 0;
    while (line < Math.min(is.size(), should.size()) && is.get(line).equals(should.get(line))) {
      line++;
    }
    return "line "
        + (line + 1)
        + " is '"
        + (line < is.size() ? is.get(line) : "")
        + "' and should be '"
        + (line < should.size() ? should.get(line) : "")
        + "'";
  }
}
