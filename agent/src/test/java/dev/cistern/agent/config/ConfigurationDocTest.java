/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of docs/configuration.md is the table of {@link Setting}. */
class ConfigurationDocTest {
  private static final Path DOC = Path.of("..", "docs", "configuration.md");

  @Test
  void theDocumentedTableIsTheOneInForce() throws IOException {
    List<String> expected = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      expected.add(
          "| `%s` | `%s` | %s | %s | %s |"
              .formatted(
                  setting.key(),
                  setting.environment(),
                  setting.defaultText(),
                  setting.expected(),
                  setting.meaning()));
    }
    assertThat(Files.readAllLines(DOC))
        .filteredOn(line -> line.startsWith("| `"))
        .as("rows of the table, to be copied into %s", DOC)
        .containsExactlyElementsOf(expected);
  }
}
