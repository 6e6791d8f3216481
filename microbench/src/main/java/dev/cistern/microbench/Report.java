/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * The result files of one run: {@code <date>[-label][-number].md} with the table and {@code .json}
 * with every iteration. Written anew after each case, so that a run that is stopped keeps what it
 * has; never over the files of another run.
 */
final class Report {
  private static final String LEGEND =
      """
      Nanoseconds of one operation: the median over the rounds, ± half the width of the 99.9 % interval over all iterations.
      In each round the variants of a case ran back to back, one JVM each, in alternating order; `ours / it` is the median
      of the rounds' ratios, ± the propagated error, `by round` their range. Names and settings: docs/benchmarks.md.
      """;

  private final Path table;
  private final Path iterations;
  private final Map<String, String> facts;
  private final LocalDate date;
  private final boolean quick;

  Report(Path directory, LocalDate date, BenchOptions options, Jdk jdk) throws IOException {
    this.date = date;
    this.quick = options.quick();
    Files.createDirectories(directory);
    String stem = ResultFiles.freeStem(directory, date, options.label());
    table = directory.resolve(stem + ".md");
    iterations = directory.resolve(stem + ".json");
    facts = Environment.facts(options, jdk);
  }

  /** Where the table is. */
  Path table() {
    return table;
  }

  /**
   * Writes what there is by now.
   *
   * @param failures what did not run, and why
   */
  void write(List<Measured> cases, List<String> failures) throws IOException {
    StringBuilder text = new StringBuilder("# Benchmarks of " + date + "\n\n");
    if (quick) {
      text.append(
          "A first look (`--quick`): few cases, few peers, short forks. Not to be quoted.\n\n");
    }
    text.append(LEGEND).append("\n| | |\n|---|---|\n");
    facts.forEach((fact, value) -> text.append("| " + fact + " | " + value + " |\n"));
    text.append('\n').append(Table.of(cases));
    text.append(SeedTable.of(cases));
    if (!failures.isEmpty()) {
      text.append("\nNot measured:\n\n");
      failures.forEach(failure -> text.append("- ").append(failure).append('\n'));
    }
    Files.writeString(table, text);
    Files.writeString(iterations, Iterations.json(facts, cases));
  }
}
