/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.LeakReport;

/** What the reports for a terminal have in common: who speaks, and what it could not see. */
final class Headline {
  private Headline() {}

  static String of(String what, HostReport report) {
    String application =
        report.application().isEmpty() ? "" : " in " + Text.plain(report.application());
    return what + application + " (Cistern " + Text.plain(report.host().version()) + ")";
  }

  static String of(CopyReport copy) {
    String version = copy.version().isEmpty() ? "" : " " + Text.plain(copy.version());
    return "Pool " + Text.plain(copy.pool()) + version + ", mode " + Text.plain(copy.mode());
  }

  /**
   * Whether there is a detector behind a report. The allocators of the library share one, which is
   * shown beside them, and has no pool.
   */
  static boolean hasDiagnostics(CopyReport copy) {
    return !copy.mode().equals(CopyReport.LIBRARY) || copy.pools().isEmpty();
  }

  /** A paragraph with a line for each reason why something is missing; empty if nothing is. */
  static String notSeen(LeakReport leaks, SampledPools pools, String more) {
    String lines =
        more
            + line(leaks.notWatched(), "Too many buffers in use at a time: ", " not watched.")
            + line(pools.failedSamples(), "No memory for them, most likely: ", " not taken up.")
            + line(leaks.withoutStack(), "Too many stacks at a time: ", " kept without a stack.")
            + (leaks.failures() == 0
                ? ""
                : "  Watching, or a hint, failed " + Text.count(leaks.failures(), "time") + ".\n");
    return lines.isEmpty() ? "" : "\n" + lines;
  }

  private static String line(long samples, String why, String what) {
    String were = samples == 1 ? " was" : " were";
    return samples == 0 ? "" : "  " + why + Text.count(samples, "sample") + were + what + "\n";
  }
}
