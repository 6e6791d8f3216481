/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The output of one child. Written by one thread, then only read. */
final class Outcome {
  final Scenario scenario;
  final SubjectKind kind;
  private final Map<String, Point> points = new LinkedHashMap<>();
  private final Map<String, Double> numbers = new LinkedHashMap<>();
  private final Map<String, String> details = new LinkedHashMap<>();
  private String failure = "";

  Outcome(Scenario scenario, SubjectKind kind) {
    this.scenario = scenario;
    this.kind = kind;
  }

  /** Parses a line of the child's output; ignores unknown lines. */
  void read(String line) {
    String[] words = line.split(" ", 3);
    if (words.length < 3) {
      return;
    }
    switch (words[0]) {
      case Bed.POINT -> points.put(words[1], Point.decode(words[2]));
      case Bed.NUMBER -> numbers.put(words[1], Double.valueOf(words[2]));
      case Bed.DETAIL -> details.put(words[1], words[2]);
      default -> {}
    }
  }

  void fail(String reason) {
    failure = reason;
  }

  /** Returns the reason why there are no figures, or empty. */
  String failure() {
    return failure;
  }

  /** Returns a point by its label, or null if the child did not reach it. */
  @Nullable Point point(String label) {
    return points.get(label);
  }

  /** Returns the last point of idling, or null. */
  @Nullable Point lastIdle() {
    Point last = null;
    for (int seconds : MemoryChild.IDLE_SECONDS) {
      Point point = points.get(MemoryChild.IDLE + seconds);
      last = point == null ? last : point;
    }
    return last;
  }

  /** Returns a number by its label, or NaN. */
  double number(String label) {
    return numbers.getOrDefault(label, Double.NaN);
  }

  Map<String, Point> points() {
    return points;
  }

  Map<String, Double> numbers() {
    return numbers;
  }

  Map<String, String> details() {
    return details;
  }
}
