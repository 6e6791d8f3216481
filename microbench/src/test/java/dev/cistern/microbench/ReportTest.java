/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  private static final LocalDate DAY = LocalDate.of(2026, 3, 9);

  @TempDir Path directory;

  @Test
  void neverOverwritesTheFilesOfAnotherRun() throws IOException {
    assertThat(ResultFiles.freeStem(directory, DAY, "")).isEqualTo("2026-03-09");
    Files.createFile(directory.resolve("2026-03-09.md"));
    assertThat(ResultFiles.freeStem(directory, DAY, "")).isEqualTo("2026-03-09-2");
    Files.createFile(directory.resolve("2026-03-09-2.json"));
    assertThat(ResultFiles.freeStem(directory, DAY, "")).isEqualTo("2026-03-09-3");
    assertThat(ResultFiles.freeStem(directory, DAY, "jdk25")).isEqualTo("2026-03-09-jdk25");
  }

  @Test
  void writesTheTableWhatIsMissingAndEveryIteration() throws IOException {
    Measured one =
        new Measured(
            new Case(
                "pair/loop",
                "PairBenchmark.direct",
                ThreadKind.LOOP,
                List.of(Variant.LIBRARY, Variant.POOLED)));
    one.add(Variant.LIBRARY, 9.25, 9.5);
    one.add(Variant.POOLED, 37);
    one.add(Variant.LIBRARY, 9.75);
    one.add(Variant.POOLED);
    Report report = new Report(directory, DAY, BenchOptions.parse(List.of("--quick")), Jdk.of(""));
    report.write(List.of(one), List.of("pair/loop, pooled, round 2: ended with status 1"));

    assertThat(Files.readString(directory.resolve("2026-03-09.md")))
        .contains("A first look", "-XX:+UseG1GC", "| Netty | 4.2.", "| pair/loop | library |")
        .contains("- pair/loop, pooled, round 2: ended with status 1");
    assertThat(Files.readString(directory.resolve("2026-03-09.json")))
        .contains("\"case\": \"pair/loop\"")
        .contains("\"LIBRARY\": [[9.250, 9.500], [9.750]]")
        .contains("\"POOLED\": [[37.000], []]");
  }
}
