/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The charts of the page on performance are those of the published results. Without the libraries
 * of their generator, the test runs in CI only.
 */
@Tag("full")
class ChartsTest {
  private static final int LIMIT_SECONDS = 280;
  private static final int CANNOT_INSTALL = 69;
  private static final Path GENERATOR = Repository.path("microbench/charts");

  @Test
  @Timeout(300)
  void theCommittedChartsAreThoseOfTheResults() throws Exception {
    boolean areLibrariesThere = Files.exists(GENERATOR.resolve(".venv/installed"));
    assumeTrue(areLibrariesThere || Tool.isRequired(), "microbench/charts/generate was never run");
    Tool.path("python3", "python3");
    Tool.Outcome outcome =
        Tool.run(
            new ProcessBuilder(GENERATOR.resolve("generate").toString(), "--check"), LIMIT_SECONDS);
    assumeTrue(
        Tool.isRequired() || outcome.status() != CANNOT_INSTALL, "no library can be installed");
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }
}
