/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The page with an example of each finding, between marks that name its kind. */
public final class DiagnosingPage {
  private static final String END = "<!-- end -->";
  private static final Pattern PROCESS = Pattern.compile("\\b(pid|process|PID) \\d+");
  private static final Pattern PORT = Pattern.compile("\\b(127[.]0[.]0[.]1|localhost):\\d+");

  private final Path file;

  /** Creates the page in a file that exists. */
  public DiagnosingPage(Path file) {
    this.file = file;
  }

  /**
   * Replaces the example of a kind. A page without marks for the kind stays unchanged.
   *
   * @param verdict text of a verdict
   * @return whether the page has the marks
   * @throws IllegalStateException if the end mark is missing
   */
  public boolean write(String kind, String verdict) throws IOException {
    String begin = "<!-- example:" + kind + " -->";
    String page = Files.readString(file);
    int start = page.indexOf(begin);
    if (start < 0) {
      return false;
    }
    start += begin.length();
    int end = page.indexOf(END, start);
    if (end < 0) {
      throw new IllegalStateException(file + ": no " + END + " after " + begin);
    }
    String block = "\n\n```text\n" + masked(verdict).strip() + "\n```\n\n";
    Files.writeString(file, page.substring(0, start) + block + page.substring(end));
    return true;
  }

  /** Returns the text with constant process ids and ports. */
  static String masked(String verdict) {
    String text = PROCESS.matcher(verdict).replaceAll("$1 4711");
    return PORT.matcher(text).replaceAll("$1:9471");
  }
}
