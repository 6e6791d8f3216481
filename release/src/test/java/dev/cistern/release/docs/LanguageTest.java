/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wording of comments and docs, as {@code testing/language} counts it. */
class LanguageTest {
  private static final int LIMIT_SECONDS = 60;

  @TempDir Path temporary;

  @BeforeEach
  void python() {
    Tool.path("python3", "python3");
  }

  private static Tool.Outcome run(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.command().add(0, Repository.path("testing/language").toString());
    return Tool.run(builder, LIMIT_SECONDS);
  }

  @Test
  void theNumberOfOddLinesDoesNotRise() throws Exception {
    Tool.Outcome outcome = run("--check");
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  @Test
  void eachPatternIsFoundInCommentsAndDocsOnly() throws Exception {
    Path java = temporary.resolve("Sample.java");
    Files.writeString(
        java,
        """
        /** Where nobody asks. */
        class Sample {
          String text = "// who";
          int who; // {@code whoever}
          // the thread that waits
        }
        """);
    Path page = temporary.resolve("page.md");
    Files.writeString(
        page,
        """
        At most one, else none.
        The others see seed row A1 of the floor.

            who

        `who` `whom`
        """);
    Tool.Outcome outcome = run("--list", java.toString(), page.toString());
    assertThat(outcome.printed().lines())
        .containsExactly(
            java + ":1: where,fragment,who,verb: Where nobody asks.",
            page + ":1: limit,else: At most one, else none.",
            page + ":2: others,row,metaphor: The others see seed row A1 of the floor.",
            "3 of 6 lines: 500.0 per 1,000");
  }
}
