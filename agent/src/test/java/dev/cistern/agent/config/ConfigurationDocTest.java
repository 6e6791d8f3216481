/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import dev.cistern.testing.Generated;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of docs/configuration.md is the table of {@link Setting}. */
class ConfigurationDocTest {
  private static final Path DOC = Path.of("..", "docs", "configuration.md");

  @Test
  void theDocumentedTableIsThatOfTheCode() {
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
    Generated.checkRows(DOC, expected);
  }
}
