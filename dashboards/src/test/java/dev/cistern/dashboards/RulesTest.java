/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus' own tool accepts the committed rules, and each alert fires when it should and only
 * then.
 */
@Timeout(60)
class RulesTest {
  private static final int LIMIT_SECONDS = 50;
  private static final List<String> FILES = List.of("alerts.yaml", "rules.yaml");
  private static final Path DASHBOARDS = Repository.path("dashboards");

  @TempDir Path directory;

  @Test
  void theyKeepTheConventions() {
    String runbook = RuleFile.text("runbook.md");
    for (String file : FILES) {
      assertThat(RuleFile.read(file).rules()).isNotEmpty();
      assertThat(RuleConventions.check(RuleFile.read(file), runbook)).isEmpty();
    }
    assertThat(RuleConventions.checkSections(RuleFile.read("alerts.yaml"), runbook)).isEmpty();
  }

  @Test
  void eachHasATest() {
    for (String file : FILES) {
      assertThat(RuleTests.read().missing(RuleFile.read(file))).isEmpty();
    }
  }

  @Test
  void prometheusTakesTheRules() throws Exception {
    Tool.Outcome outcome = promtool("check", "rules", "alerts.yaml", "rules.yaml");
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  @Test
  void alertsFireAndDoNotFireAndRecordsAreRight() throws Exception {
    List<String> command = new ArrayList<>(List.of("test", "rules"));
    RuleTests.files().forEach(file -> command.add(file.toString()));
    assertThat(command).hasSizeGreaterThan(2);
    Tool.Outcome outcome = promtool(command.toArray(String[]::new));
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed()).contains("SUCCESS").doesNotContain("FAILED");
  }

  private Tool.Outcome promtool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tool.path("promtool", "prometheus")));
    command.addAll(List.of(arguments));
    return Tool.run(new ProcessBuilder(command).directory(DASHBOARDS.toFile()), LIMIT_SECONDS);
  }
}
