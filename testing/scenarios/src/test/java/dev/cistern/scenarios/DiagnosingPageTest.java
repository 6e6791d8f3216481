/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An example replaces the one between its marks, and nothing else. */
class DiagnosingPageTest {
  @TempDir Path directory;

  private Path page(String text) throws IOException {
    return Files.writeString(directory.resolve("diagnosing.md"), text);
  }

  @Test
  void theTextBetweenTheMarksIsReplaced() throws IOException {
    Path file =
        page(
            "# A\n<!-- example:leak -->\nold\n<!-- end -->\nB\n<!-- example:malloc --><!-- end -->");
    DiagnosingPage page = new DiagnosingPage(file);
    assertThat(page.write("leak", "pid 77 leaks at 127.0.0.1:4040\n")).isTrue();
    assertThat(page.write("leak", "pid 78 leaks at 127.0.0.1:4040\n")).isTrue();
    assertThat(page.write("growth", "grows")).isFalse();
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            # A
            <!-- example:leak -->

            ```text
            pid 4711 leaks at 127.0.0.1:9471
            ```

            <!-- end -->
            B
            <!-- example:malloc --><!-- end -->""");
  }

  @Test
  void aMissingEndIsRefused() throws IOException {
    Path file = page("<!-- example:leak -->\nold\n");
    assertThatThrownBy(() -> new DiagnosingPage(file).write("leak", "new"))
        .hasMessageContaining("no <!-- end --> after <!-- example:leak -->");
  }

  @Test
  void thePageHasMarksForEachExample() throws IOException {
    String page = Files.readString(Repository.path("docs/diagnosing.md"));
    for (Scenario scenario : Scenarios.allFaults()) {
      if (scenario.isExample()) {
        assertThat(page).contains("<!-- example:" + scenario.kind() + " -->");
      }
    }
  }
}
