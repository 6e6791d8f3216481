/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a process as an exporter knows them: those that the process reported, and its
 * end, which only the exporter can detect.
 */
public final class Findings {
  private static final long STALE_MILLIS = 30_000;

  /** Time after which every rule has enough readings. */
  private static final long WARM_UP_MILLIS = 180_000;

  private Findings() {}

  /** Returns the findings, the most important first. */
  public static List<Finding> of(HostView host) {
    List<Finding> all = new ArrayList<>();
    addState(all, host);
    for (Row row : host.row().rows(MemoryFigures.FINDING)) {
      Finding finding = finding(row);
      if (finding != null) {
        all.add(finding);
      }
    }
    // The sort is stable, so that the order of the process stays.
    all.sort(Comparator.comparing(finding -> isOfState(finding) ? order(finding) : 1));
    return all;
  }

  private static boolean isOfState(Finding finding) {
    return finding.kind() == Kind.PROCESS_DIED
        || finding.kind() == Kind.PROCESS_ENDED
        || finding.kind() == Kind.STALE_REPORT;
  }

  /**
   * Returns the rank of a state: an orderly end follows the findings of the process, other states
   * precede them.
   */
  private static int order(Finding finding) {
    return finding.kind() == Kind.PROCESS_ENDED ? 2 : 0;
  }

  /** Returns the finding of a row; null for an unknown kind of a later version. */
  private static @Nullable Finding finding(Row row) {
    Kind kind = Kind.of(row.labels().get(0));
    if (kind == null) {
      return null;
    }
    String evidence = row.get(MemoryFigures.EVIDENCE);
    return new Finding(
        kind,
        Level.values()[place(row.orZero(MemoryFigures.LEVEL))],
        Confidence.values()[place(row.orZero(MemoryFigures.CONFIDENCE))],
        row.orZero(MemoryFigures.FINDING_BYTES),
        row.orZero(MemoryFigures.FINDING_SINCE),
        row.get(MemoryFigures.WHAT),
        evidence.isEmpty() ? List.of() : List.of(evidence.split("\n")),
        row.get(MemoryFigures.NEXT),
        row.get(MemoryFigures.SITE));
  }

  /** Returns the index of a level or confidence. A file may have any number. */
  private static int place(long number) {
    return (int) Math.max(0, Math.min(2, number - 1));
  }

  private static void addState(List<Finding> to, HostView host) {
    if (host.state() == HostView.State.DIED) {
      to.add(
          state(
              Kind.PROCESS_DIED,
              Level.CRITICAL,
              host.heartbeatMillis(),
              "The process was killed or has crashed",
              "its file was not closed, and nothing holds its lock",
              "compare its last memory with the limit of its container, and read its last sites"));
    } else if (host.state() == HostView.State.EXITED) {
      to.add(
          state(
              Kind.PROCESS_ENDED,
              Level.NOTICE,
              host.heartbeatMillis(),
              "The process has ended as it should",
              "it closed its file",
              "nothing to do"));
    }
    long age = host.heartbeatMillis() - host.timeMillis();
    if (host.isUp() && age > STALE_MILLIS) {
      to.add(
          state(
              Kind.STALE_REPORT,
              Level.WARNING,
              host.timeMillis(),
              "The process runs, but its last report is " + TextFormat.duration(age) + " old",
              "its heartbeat continues",
              "read the log of the process for failures of the stats file"));
    }
  }

  private static Finding state(
      Kind kind, Level level, long since, String what, String why, String next) {
    return new Finding(kind, level, Confidence.HIGH, 0, since, what, List.of(why), next, "");
  }

  /**
   * Returns a finding in whose texts the name that a client may see replaces the name of the site.
   */
  static Finding shown(Finding finding, UnaryOperator<String> siteNames) {
    String site = finding.site();
    if (site.isEmpty()) {
      return finding;
    }
    String name = siteNames.apply(site);
    return new Finding(
        finding.kind(),
        finding.level(),
        finding.confidence(),
        finding.bytes(),
        finding.sinceMillis(),
        finding.what().replace(site, name),
        finding.evidence().stream().map(text -> text.replace(site, name)).toList(),
        finding.next().replace(site, name),
        name);
  }

  /** Returns whether the process searches for findings: an agent of an earlier version does not. */
  static boolean isDiagnosed(HostView host) {
    return host.row().get(MemoryFigures.WATCHED) != Figure.ABSENT;
  }

  /** Returns a note if the diagnosis is not complete, otherwise an empty text. */
  static String note(HostView host) {
    String failed = host.row().get(MemoryFigures.FAILED_RULE_NAMES);
    if (!failed.isEmpty()) {
      return "rules that failed: " + failed;
    }
    if (!isDiagnosed(host)) {
      return "this process makes no diagnosis";
    }
    long watched = host.row().get(MemoryFigures.WATCHED);
    return watched < WARM_UP_MILLIS && host.isUp()
        ? "watched for " + TextFormat.duration(watched) + " only; some causes need three minutes"
        : "";
  }
}
