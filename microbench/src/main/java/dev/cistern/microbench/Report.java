/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The result files of one run: a table, and JSON with every iteration. They are written again after
 * each case, so that an interrupted run keeps its results.
 */
final class Report {
  private static final String LEGEND =
      """
      Nanoseconds of one operation: the median over the rounds, ± half the width of the 99.9 % interval over all iterations.
      In each round the variants of a case ran back to back, one JVM each, in alternating order; `ours / it` is the median
      of the rounds' ratios, ± the propagated error, `by round` their range. Names and settings: docs/internals/benchmarks.md.
      """;

  private final ResultFiles files;
  private final Map<String, String> facts;
  private final boolean quick;

  Report(ResultFiles files, BenchOptions options, Jdk jdk) throws IOException {
    this.files = files;
    quick = options.quick();
    facts = Environment.facts(options, jdk);
  }

  /**
   * Writes the current results.
   *
   * @param failures the cases that did not run, and why
   */
  void write(List<Measured> cases, List<String> failures) throws IOException {
    StringBuilder text = new StringBuilder("# " + files.title() + "\n\n");
    if (quick) {
      text.append(
          "A first look (`--quick`): few cases, few peers, short forks. Not to be quoted.\n\n");
    }
    text.append(LEGEND).append('\n').append(Environment.table(facts));
    text.append('\n').append(Table.of(cases));
    text.append(SeedTable.of(cases));
    if (!failures.isEmpty()) {
      text.append("\nNot measured:\n\n");
      failures.forEach(failure -> text.append("- ").append(failure).append('\n'));
    }
    files.write(text.toString(), Iterations.json(facts, cases));
  }
}
