/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The tables of a run, in Markdown. They include losses. */
final class MemoryTable {
  private static final double MIB = 1 << 20;

  private final List<Outcome> outcomes;

  MemoryTable(List<Outcome> outcomes) {
    this.outcomes = outcomes;
  }

  /** Returns the tables of all scenarios that ran. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Scenario scenario : Scenario.values()) {
      List<Outcome> rows = new ArrayList<>();
      for (Outcome outcome : outcomes) {
        if (outcome.scenario == scenario) {
          rows.add(outcome);
        }
      }
      if (!rows.isEmpty()) {
        text.append(section(scenario, rows));
      }
    }
    return text.toString();
  }

  private static String section(Scenario scenario, List<Outcome> rows) {
    StringBuilder text = new StringBuilder();
    text.append("\n### ").append(scenario.word()).append("\n\n").append(scenario.story());
    text.append("\n\n| allocator | reserved peak | mean | idle 0 s | 10 s | 20 s | 60 s ");
    text.append("| bean peak | VmRSS peak | VmRSS idle | heap idle | ours / pooled |\n");
    text.append("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    Outcome pooled = find(rows, SubjectKind.POOLED);
    for (Outcome row : rows) {
      text.append(
          row.failure().isEmpty()
              ? figures(row, pooled)
              : "| " + row.kind.title() + " | failed: " + row.failure() + " |\n");
    }
    text.append("\n| allocator | figure | value | target | |\n|---|---|---|---|---|\n");
    for (Outcome row : rows) {
      for (Target target : Target.of(row, pooled)) {
        text.append("| ").append(row.kind.title()).append(" | ").append(target.cells());
        text.append(" |\n");
      }
    }
    return text.append(extra(scenario, rows)).toString();
  }

  private static @Nullable Outcome find(List<Outcome> rows, SubjectKind kind) {
    for (Outcome row : rows) {
      if (row.kind == kind) {
        return row;
      }
    }
    return null;
  }

  private static String figures(Outcome row, @Nullable Outcome pooled) {
    Point peak = row.point("peak");
    Point mean = row.point("mean");
    Point idle = row.lastIdle();
    StringBuilder cells = new StringBuilder("| " + row.kind.title());
    cells.append(cell(peak == null ? -1 : peak.reserved()));
    cells.append(cell(mean == null ? -1 : mean.reserved()));
    for (int seconds : MemoryChild.IDLE_SECONDS) {
      Point point = row.point(MemoryChild.IDLE + seconds);
      cells.append(cell(point == null ? -1 : point.reserved()));
    }
    cells.append(cell(peak == null ? -1 : peak.bean()));
    cells.append(cell(peak == null ? -1 : peak.resident()));
    cells.append(cell(idle == null ? -1 : idle.resident()));
    cells.append(cell(idle == null ? -1 : idle.heap()));
    return cells + " | " + ratio(row, pooled) + " |\n";
  }

  /**
   * Returns the ratios to Netty's pooled allocator at its defaults: at the peak, and after idling.
   */
  static String ratio(Outcome row, @Nullable Outcome pooled) {
    if (pooled == null || !row.kind.isOurs()) {
      return "";
    }
    Point idle = row.lastIdle();
    Point pooledIdle = pooled.lastIdle();
    return over(row.point("peak"), pooled.point("peak"))
        + " at peak, "
        + over(idle, pooledIdle)
        + " idle";
  }

  private static String over(@Nullable Point ours, @Nullable Point theirs) {
    return ours == null || theirs == null || theirs.reserved() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.2f", (double) ours.reserved() / theirs.reserved());
  }

  private static String cell(long bytes) {
    return bytes < 0 ? " | -" : String.format(Locale.ROOT, " | %.1f", bytes / MIB);
  }

  /** Returns the additional output of some kinds of scenarios. */
  private static String extra(Scenario scenario, List<Outcome> rows) {
    return switch (scenario) {
      case TRACE_SOCKET, TRACE_UPLOADS -> heapOfBuffers(rows);
      case SHORT_THREADS, SHORT_PLAIN_THREADS -> eachThousand(rows);
      case BURST_CYCLES -> eachCycle(rows);
      case LONG_LIVED_KIB, LONG_LIVED_MIXED, LONG_LIVED_WAVES -> pinned(rows);
      default -> "";
    };
  }

  private static String heapOfBuffers(List<Outcome> rows) {
    StringBuilder text =
        new StringBuilder(
            "\n| allocator, at a crest | buffer objects | bytes each | all its classes, percent of"
                + " reserved | heap grown, MiB |\n|---|---|---|---|---|\n");
    for (Outcome row : rows) {
      Point crest = row.point("crest");
      if (crest != null) {
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.2f | %.2f |\n",
                row.kind.title(),
                row.number("buffer-objects"),
                row.number("buffer-object-bytes") / row.number("buffer-objects"),
                100 * row.number("allocator-object-bytes") / crest.reserved(),
                (crest.heap() - row.number("heap-before")) / MIB));
      }
    }
    return text.toString();
  }

  private static String eachThousand(List<Outcome> rows) {
    StringBuilder text = new StringBuilder("\nReserved / Java heap in MiB after each 1,000:\n\n");
    for (Outcome row : rows) {
      text.append("- ").append(row.kind.title()).append(':');
      for (int threads = 1_000; threads <= 10_000; threads += 1_000) {
        Point point = row.point(ShortThreads.label(threads));
        if (point != null) {
          text.append(
              String.format(
                  Locale.ROOT, " %.1f / %.2f,", point.reserved() / MIB, point.heap() / MIB));
        }
      }
      text.setCharAt(text.length() - 1, '\n');
    }
    return text.toString();
  }

  private static String eachCycle(List<Outcome> rows) {
    StringBuilder text = new StringBuilder("\nReserved / VmRSS in MiB after each pause:\n\n");
    for (Outcome row : rows) {
      text.append("- ").append(row.kind.title()).append(':');
      for (int cycle = 1; cycle <= BurstCycles.CYCLES; cycle++) {
        Point point = row.point(BurstCycles.label(cycle));
        if (point != null) {
          text.append(
              String.format(
                  Locale.ROOT, " %.1f / %.1f,", point.reserved() / MIB, point.resident() / MIB));
        }
      }
      text.setCharAt(text.length() - 1, '\n');
    }
    return text.toString();
  }

  private static String pinned(List<Outcome> rows) {
    StringBuilder text = new StringBuilder("\nKept / pinned / reserved after idling, in MiB:\n\n");
    for (Outcome row : rows) {
      Point idle = row.lastIdle();
      if (idle != null) {
        text.append(
            String.format(
                Locale.ROOT,
                "- %s: %.1f / %s / %.1f\n",
                row.kind.title(),
                row.number("kept-bytes") / MIB,
                idle.pinned() < 0
                    ? "not reported"
                    : String.format(Locale.ROOT, "%.1f", idle.pinned() / MIB),
                idle.reserved() / MIB));
      }
    }
    return text.toString();
  }
}
