/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The comparison of all runs' findings with their causes, as Markdown. */
public final class ConfusionReport {
  static final double MIN_RIGHT_PERCENT = 90;
  static final double MIN_HIGH_RIGHT_PERCENT = 95;
  static final double MIN_HIGH_PERCENT = 50;

  private final List<RunResult> faults;
  private final List<RunResult> healthy;

  /** Creates the report of runs that have ended. */
  public ConfusionReport(List<RunResult> results) {
    faults = results.stream().filter(result -> !result.scenario().isHealthy()).toList();
    healthy = results.stream().filter(result -> result.scenario().isHealthy()).toList();
  }

  /** Returns the percentage of faults whose first finding is right at the end. */
  public double rightPercent() {
    return percent(faults.stream().filter(RunResult::isRight).count(), faults.size());
  }

  /** Returns the percentage of right kinds among all kinds that had high confidence in a run. */
  public double highRightPercent() {
    int right = 0;
    int all = 0;
    for (RunResult result : faults) {
      for (String kind : result.highKinds()) {
        all++;
        right += result.scenario().expected().contains(kind) ? 1 : 0;
      }
    }
    return percent(right, all);
  }

  /** Returns the percentage of faults with a right finding at high confidence. */
  public double highPercent() {
    return percent(faults.stream().filter(RunResult::isHigh).count(), faults.size());
  }

  /** Returns a sentence for each bar that the runs miss. */
  public List<String> missed() {
    List<String> missed = new ArrayList<>();
    bar(missed, "right first findings", rightPercent(), MIN_RIGHT_PERCENT);
    bar(missed, "right findings of high confidence", highRightPercent(), MIN_HIGH_RIGHT_PERCENT);
    bar(missed, "faults with high confidence", highPercent(), MIN_HIGH_PERCENT);
    for (RunResult result : faults) {
      if (result.isRight() && !result.isInTime()) {
        missed.add(
            String.format(
                Locale.ROOT,
                "%s: right after %s s (expected: up to %d)",
                result.scenario().name(),
                seconds(result.rightSecond()),
                result.scenario().deadlineSeconds()));
      }
    }
    for (RunResult result : healthy) {
      for (RunResult.Alarm alarm : result.alarms()) {
        missed.add(
            String.format(
                Locale.ROOT,
                "%s: %s (%s) after %s s in %d polls: %s",
                result.scenario().name(),
                alarm.finding().kind(),
                alarm.finding().confidence(),
                seconds(alarm.second()),
                alarm.polls(),
                alarm.finding().what()));
      }
      if (!result.failure().isEmpty()) {
        missed.add(result.scenario().name() + ": " + result.failure());
      }
    }
    return missed;
  }

  private static void bar(List<String> missed, String what, double percent, double least) {
    if (percent < least) {
      missed.add(
          String.format(Locale.ROOT, "%s: %.0f %% (expected: %.0f %%)", what, percent, least));
    }
  }

  private static double percent(long part, int all) {
    return all == 0 ? 100 : 100.0 * part / all;
  }

  /** Returns the table of runs, the matrix and the summary. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    table(text);
    if (!faults.isEmpty()) {
      matrix(text);
      summary(text);
    }
    List<String> missed = missed();
    text.append('\n');
    if (missed.isEmpty()) {
      text.append("All bars are met.\n");
    }
    missed.forEach(line -> text.append("- Missed: ").append(line).append('\n'));
    return text.toString();
  }

  private void table(StringBuilder text) {
    text.append(
        "| scenario | expected | first finding | confidence | right, s | high, s | others |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    List<RunResult> all = new ArrayList<>(faults);
    all.addAll(healthy);
    for (RunResult result : all) {
      Set<String> others = new TreeSet<>(result.highKinds());
      result.scenario().expected().forEach(others::remove);
      String note =
          (others.isEmpty() ? "" : "high: " + String.join(", ", others) + " ") + result.failure();
      row(
          text,
          List.of(
              result.scenario().name(),
              result.scenario().kind(),
              result.first().kind(),
              result.first().confidence(),
              seconds(result.rightSecond()),
              seconds(result.highSecond()),
              note.strip()));
    }
  }

  private void matrix(StringBuilder text) {
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    Set<String> columns = new TreeSet<>();
    for (RunResult result : faults) {
      String found = result.first().kind();
      columns.add(found);
      counts
          .computeIfAbsent(result.scenario().kind(), kind -> new TreeMap<>())
          .merge(found, 1, Integer::sum);
    }
    text.append("\n| expected \\ first finding |");
    columns.forEach(column -> text.append(' ').append(column).append(" |"));
    text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
    counts.forEach(
        (kind, row) -> {
          List<String> cells = new ArrayList<>(List.of(kind));
          columns.forEach(
              column -> cells.add(row.containsKey(column) ? String.valueOf(row.get(column)) : ""));
          row(text, cells);
        });
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private void summary(StringBuilder text) {
    text.append(
        String.format(
            Locale.ROOT,
            "%n%d faults: first finding right %.0f %%; findings of high confidence right %.0f %%;"
                + " faults with high confidence %.0f %%.%n%n",
            faults.size(),
            rightPercent(),
            highRightPercent(),
            highPercent()));
    Map<String, Double> latest = new TreeMap<>();
    for (RunResult result : faults) {
      if (result.isRight()) {
        latest.merge(result.scenario().kind(), result.rightSecond(), Math::max);
      }
    }
    text.append("| kind | latest right first finding, s |\n|---|---|\n");
    latest.forEach((kind, second) -> row(text, List.of(kind, seconds(second))));
  }

  private static String seconds(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.0f", value);
  }
}
