/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import dev.cistern.microbench.Environment;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes all points and numbers of a run as JSON. The result is a list of runs, so that two lists
 * can be joined.
 */
final class MemoryJson {
  private MemoryJson() {}

  static String of(Map<String, String> facts, List<Outcome> outcomes, List<BurstOutcome> ofBursts) {
    return "[{\"unit\": \"bytes\", \"run\": "
        + Environment.json(facts)
        + ", \"outcomes\": [\n"
        + Stream.concat(
                outcomes.stream().map(MemoryJson::of), ofBursts.stream().map(BurstOutcome::json))
            .collect(Collectors.joining(",\n"))
        + "\n]}]\n";
  }

  private static String of(Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "  {\"scenario\": %s, \"allocator\": %s, \"failure\": %s,\n"
            + "    \"points\": %s,\n    \"numbers\": %s}",
        Environment.quoted(outcome.scenario.word()),
        Environment.quoted(outcome.kind.title()),
        Environment.quoted(outcome.failure()),
        object(outcome.points(), MemoryJson::of),
        object(outcome.numbers(), Object::toString));
  }

  private static <T> String object(Map<String, T> values, Function<T, String> json) {
    return values.entrySet().stream()
        .map(entry -> Environment.quoted(entry.getKey()) + ": " + json.apply(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String of(Point point) {
    return String.format(
        Locale.ROOT,
        "{\"reserved\": %d, \"pinned\": %d, \"bean\": %d, \"resident\": %d, \"heap\": %d}",
        point.reserved(),
        point.pinned(),
        point.bean(),
        point.resident(),
        point.heap());
  }
}
