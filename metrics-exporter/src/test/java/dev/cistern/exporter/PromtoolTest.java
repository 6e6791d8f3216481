/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' own linter has nothing to say about a scrape. */
@Timeout(60)
class PromtoolTest {
  private static final int LIMIT_SECONDS = 30;

  @TempDir Path directory;

  @Test
  void aScrapeIsClean() throws Exception {
    assertEquals("0 ", check(Scrape.text(new CisternCollector(Reports::host))));
  }

  @Test
  void aScrapeOfAFailedSourceIsClean() throws Exception {
    CisternCollector failing =
        new CisternCollector(
            () -> {
              throw new IllegalStateException();
            });
    assertEquals("0 ", check(Scrape.text(failing)));
  }

  @Test
  void theLinterFindsWhatIsWrong() throws Exception {
    assertNotEquals("0 ", check("# TYPE cistern_things counter\ncistern_things 1\n"));
  }

  @Test
  void theAlertsOnLeaksFireAndDoNotFire() throws Exception {
    Path rules = Path.of("..", "dashboards", "leaks-alerts-test.yaml");
    String said = run(rules, "test", "rules", rules.toString());
    assertTrue(said.startsWith("0 ") && said.contains("SUCCESS"), said);
  }

  /** Returns the exit code and what promtool printed. */
  private String check(String scrape) throws IOException, InterruptedException {
    return run(Files.writeString(directory.resolve("scrape.txt"), scrape), "check", "metrics");
  }

  private String run(Path input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tool.path("promtool", "prometheus")));
    command.addAll(List.of(arguments));
    Tool.Outcome outcome =
        Tool.run(
            new ProcessBuilder(command).redirectInput(input.toFile()), directory, LIMIT_SECONDS);
    return outcome.status() + " " + outcome.printed();
  }
}
