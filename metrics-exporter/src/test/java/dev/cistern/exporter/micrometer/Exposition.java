/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import java.util.Map;
import java.util.TreeMap;

/** A reader of the text format. */
final class Exposition {
  private Exposition() {}

  /** Returns series with their labels and values, without the duration of the scrape. */
  static Map<String, Double> series(String text) {
    Map<String, Double> series = new TreeMap<>();
    text.lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .filter(line -> !line.startsWith("cistern_scrape_duration_seconds"))
        .filter(line -> !line.contains("_bucket{"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              series.put(
                  ofMicrometer(line.substring(0, space)),
                  Double.valueOf(line.substring(space + 1)));
            });
    return series;
  }

  /** Returns the name that Micrometer gives the counters of a histogram. */
  private static String ofMicrometer(String series) {
    return series
        .replaceFirst(
            "^(cistern_requested_size|cistern_sampled_lifetime)_(bytes|seconds)_count\\{",
            "$1_count_total{")
        .replaceFirst(
            "^(cistern_requested_size|cistern_sampled_lifetime)_(bytes|seconds)_sum\\{",
            "$1_sum_$2_total{");
  }

  /** Returns the text without the labels of the host. */
  static String withoutHost(String text) {
    return text.replaceAll("application=\"[^\"]*\",?", "")
        .replaceAll("host_id=\"[^\"]*\",?", "")
        .replace(",}", "}")
        .replace("{}", "");
  }

  /** Returns the types and helps of all families, in order. */
  static String families(String text) {
    StringBuilder families = new StringBuilder();
    text.lines()
        .filter(line -> line.startsWith("# ") && !line.contains("cistern_scrape_duration_seconds"))
        .filter(line -> !line.matches("# \\w+ cistern_(requested_size|sampled_lifetime).*"))
        .sorted()
        .forEach(line -> families.append(line).append('\n'));
    return families.toString();
  }
}
