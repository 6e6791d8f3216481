/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The whole buffer API stays small: heap or direct, pooled or not, sliced or not is data, not a
 * class each (docs/architecture.md). Counted are lines with code in them, of main sources.
 */
class SourceSizeTest {
  /** This many is one too many. */
  private static final int TOO_MANY_LINES = 9000;

  private static final Path HOUSE = Path.of("src/main/java/dev/cistern").toAbsolutePath();

  /** Lines of code; comments start and end lines of their own here, as the formatter has it. */
  static int linesOfCode(List<String> lines) {
    int code = 0;
    boolean isInComment = false;
    for (String line : lines) {
      String text = line.strip();
      boolean opens = text.startsWith("/*");
      if (!isInComment && !opens && !text.isEmpty() && !text.startsWith("//")) {
        code++;
      }
      isInComment = (isInComment || opens) && !text.endsWith("*/");
    }
    return code;
  }

  private static int linesBelow(Path directory) throws IOException {
    int lines = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        lines += linesOfCode(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void buffersAndUtilitiesStaySmall() throws IOException {
    int buffer = linesBelow(HOUSE.resolve("buffer"));
    int util = linesBelow(HOUSE.resolve("util"));
    System.out.printf("buffer %d + util %d = %d lines%n", buffer, util, buffer + util);
    assertThat(util).isGreaterThan(100);
    assertThat(buffer).isGreaterThan(1000);
    assertThat(buffer + util).as("lines of code in buffer and util").isLessThan(TOO_MANY_LINES);
  }

  @Test
  void countsCodeOnly() {
    List<String> source =
        List.of(
            "/* A header",
            "in two lines */",
            "",
            "package some.where;",
            "  /** In one line. */",
            "  int a; // counts",
            "  // does not",
            "  /**",
            "   * Nor this.",
            "   */",
            "  int b;");
    assertThat(linesOfCode(source)).isEqualTo(3);
  }
}
