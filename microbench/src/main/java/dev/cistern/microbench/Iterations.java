/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Writes every measured iteration as JSON. The result is a list of runs, so that two lists can be
 * joined.
 */
final class Iterations {
  private Iterations() {}

  static String json(Map<String, String> facts, List<Measured> cases) {
    String measured = cases.stream().map(Iterations::json).collect(lines());
    return "[{\"unit\": \"ns/op\", \"run\": "
        + Environment.json(facts)
        + ", \"cases\": [\n"
        + measured
        + "\n]}]\n";
  }

  private static String json(Measured one) {
    String variants =
        one.of.variants().stream()
            .map(
                variant ->
                    "    " + Environment.quoted(variant.name()) + ": " + json(one.rounds(variant)))
            .collect(lines());
    return "  {\"case\": "
        + Environment.quoted(one.of.id)
        + ", \"net\": "
        + one.of.isNet()
        + ", \"rounds\": {\n"
        + variants
        + "}}";
  }

  private static String json(List<double[]> rounds) {
    return rounds.stream()
        .map(
            round ->
                Arrays.stream(round)
                    .mapToObj(nanos -> String.format(Locale.ROOT, "%.3f", nanos))
                    .collect(Collectors.joining(", ", "[", "]")))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static Collector<CharSequence, ?, String> lines() {
    return Collectors.joining(",\n");
  }
}
