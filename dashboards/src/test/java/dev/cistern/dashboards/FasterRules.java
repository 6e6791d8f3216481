/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A copy of a rule file with {@value #FACTOR} times faster time: each {@code for}, each range and
 * each offset is divided by that factor. No range is shorter than four scrapes, so that a rate has
 * enough samples. Comparisons with a number of seconds do not change. {@code promtool test rules}
 * checks the durations in the original file.
 */
final class FasterRules {
  static final int FACTOR = 60;

  private static final long SHORTEST_RANGE_SECONDS = 4L * LivePrometheus.SCRAPE_INTERVAL_SECONDS;
  private static final Pattern RANGE = Pattern.compile("\\[(\\w+)(:?)(\\w*)]");
  private static final Pattern OFFSET = Pattern.compile("\\boffset (\\w+)");
  private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|[smhdw])");
  private static final Map<String, Double> SECONDS =
      Map.of("ms", 0.001, "s", 1.0, "m", 60.0, "h", 3_600.0, "d", 86_400.0, "w", 604_800.0);

  private FasterRules() {}

  /** Writes the copy and returns its path. */
  static Path copy(Path file, Path directory) throws IOException {
    Object rules = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    String faster = new Dump(DumpSettings.builder().build()).dumpToString(faster("", rules));
    return Files.writeString(directory.resolve(file.getFileName()), faster);
  }

  private static Object faster(String key, Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new TreeMap<>();
      map.forEach((name, inner) -> copy.put(name.toString(), faster(name.toString(), inner)));
      return copy;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(inner -> faster(key, inner)).toList();
    }
    return switch (key) {
      case "for", "keep_firing_for", "interval" -> shorter(value.toString(), 1);
      case "expr" -> fasterExpression(value.toString());
      default -> value;
    };
  }

  static String fasterExpression(String expression) {
    String ranges =
        RANGE
            .matcher(expression)
            .replaceAll(
                range ->
                    "["
                        + shorter(range.group(1), SHORTEST_RANGE_SECONDS)
                        + range.group(2)
                        + (range.group(3).isEmpty() ? "" : shorter(range.group(3), 1))
                        + "]");
    return OFFSET
        .matcher(ranges)
        .replaceAll(offset -> "offset " + shorter(offset.group(1), SHORTEST_RANGE_SECONDS));
  }

  private static String shorter(String duration, long leastSeconds) {
    double seconds = 0;
    Matcher parts = DURATION.matcher(duration);
    while (parts.find()) {
      seconds += Double.parseDouble(parts.group(1)) * SECONDS.getOrDefault(parts.group(2), 0.0);
    }
    return Math.max(leastSeconds, Math.round(seconds / FACTOR)) + "s";
  }
}
