/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FasterRulesTest {
  @TempDir Path directory;

  @Test
  void rangesAndOffsetsAreDivided() {
    assertThat(FasterRules.fasterExpression("rate(a[1h] offset 1h) / rate(b[10m]) > 3600"))
        .isEqualTo("rate(a[60s] offset 60s) / rate(b[10s]) > 3600");
  }

  @Test
  void noRangeIsShorterThanFourScrapes() {
    assertThat(FasterRules.fasterExpression("rate(a[5m]) + rate(b[1m30s] offset 2m)"))
        .isEqualTo("rate(a[8s]) + rate(b[8s] offset 8s)");
  }

  @Test
  void stepsOfSubqueriesAreDividedToo() {
    assertThat(FasterRules.fasterExpression("max_over_time(a[30m:2m]) + max_over_time(b[1h:])"))
        .isEqualTo("max_over_time(a[30s:2s]) + max_over_time(b[60s:])");
  }

  @Test
  void waitingTimesOfRulesAreDividedAndTextsAreLeft() throws Exception {
    Path file = directory.resolve("original.yaml");
    Files.writeString(
        file,
        """
        groups:
          - name: some
            interval: 2m
            rules:
              - alert: Some
                expr: rate(a[30m]) > 0
                for: 15m
                keep_firing_for: 10m
                annotations:
                  summary: within [30m]
        """);
    Path copies = Files.createDirectory(directory.resolve("copies"));
    assertThat(Files.readString(FasterRules.copy(file, copies)))
        .contains("interval: 2s", "for: 15s", "keep_firing_for: 10s", "rate(a[30s]) > 0")
        .contains("within [30m]");
  }
}
