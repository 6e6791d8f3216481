/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Repository;
import dev.cistern.exporter.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus' own tool takes the committed rules, and each alert fires when it should and only
 * then.
 */
@Timeout(60)
class RulesTest {
  private static final int LIMIT_SECONDS = 50;
  private static final Path DASHBOARDS = Repository.path("dashboards");

  @TempDir Path directory;

  @Test
  void prometheusTakesTheRules() throws Exception {
    Tool.Outcome outcome = promtool("check", "rules", "alerts.yaml", "rules.yaml");
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  @Test
  void alertsFireAndDoNotFireAndRecordsAreRight() throws Exception {
    List<String> command = new ArrayList<>(List.of("test", "rules"));
    try (Stream<Path> files = Files.list(DASHBOARDS.resolve("tests"))) {
      files.sorted().forEach(file -> command.add(file.toString()));
    }
    assertThat(command).hasSizeGreaterThan(2);
    Tool.Outcome outcome = promtool(command.toArray(String[]::new));
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed()).contains("SUCCESS").doesNotContain("FAILED");
  }

  private Tool.Outcome promtool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tool.path("promtool", "prometheus")));
    command.addAll(List.of(arguments));
    return Tool.run(
        new ProcessBuilder(command).directory(DASHBOARDS.toFile()), directory, LIMIT_SECONDS);
  }
}
