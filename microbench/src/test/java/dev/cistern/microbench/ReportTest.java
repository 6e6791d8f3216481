/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  @TempDir Path directory;

  @Test
  void writesAnOrdinaryRunOutsideThePublishedResults() {
    ResultFiles files = ResultFiles.ofRun(directory, "memory");
    assertThat(files.table().getParent()).isEqualTo(directory.resolve("target/results"));
    assertThat(files.table().getFileName().toString())
        .matches("\\d{4}-\\d\\d-\\d\\d-\\d{6}-memory[.]md");
    assertThat(ResultFiles.ofRun(directory, "").values().getFileName().toString())
        .matches("\\d{4}-\\d\\d-\\d\\d-\\d{6}[.]json");
  }

  @Test
  void publishesUnderTheVersionOnlyFromACleanWorkTree() {
    ResultFiles files = ResultFiles.published(directory, "leaks", List.of());
    Path results = files.table().getParent();
    assertThat(results.getParent()).isEqualTo(directory.resolve("results"));
    assertThat(results.getFileName().toString()).matches("[0-9]+[.][0-9]+[.][0-9]+");
    assertThat(files.table().getFileName().toString()).isEqualTo("leaks.md");
    assertThat(files.values().getFileName().toString()).isEqualTo("leaks.json");

    assertThatThrownBy(() -> ResultFiles.published(directory, "leaks", List.of("a.txt", "b/c")))
        .hasMessage("cannot publish: the work tree has changes: a.txt, b/c; commit or stash them");
  }

  @Test
  void writesTheTableTheFailuresAndEveryIteration() throws IOException {
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
    ResultFiles files = ResultFiles.published(directory, "allocator", List.of());
    Report report = new Report(files, BenchOptions.parse(List.of("--quick")), Jdk.of(""));
    report.write(List.of(one), List.of("pair/loop, pooled, round 2: ended with status 1"));

    assertThat(Files.readString(files.table()))
        .startsWith("# Benchmarks: allocator, version ")
        .contains("| revision | ", "| date | ", "| machine | ", "| JVM of the forks | ")
        .contains(
            "A first look",
            "2 rounds of one fork each",
            "-XX:+UseG1GC",
            "| Netty | 4.2.",
            "| pair/loop | library |")
        .contains("- pair/loop, pooled, round 2: ended with status 1");
    assertThat(Files.readString(files.values()))
        .contains("\"case\": \"pair/loop\"")
        .contains("\"LIBRARY\": [[9.250, 9.500], [9.750]]")
        .contains("\"POOLED\": [[37.000], []]");
  }
}
