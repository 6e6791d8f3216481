/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.LeakReport;

/** Parts that the text reports share: the title, and the reasons for missing data. */
final class ReportHeader {
  private ReportHeader() {}

  static String of(String what, HostView report) {
    String application =
        report.application().isEmpty() ? "" : " in " + TextFormat.plain(report.application());
    return what + application + " (Cistern " + TextFormat.plain(report.version()) + ")";
  }

  static String of(CopyView copy) {
    String version = copy.version().isEmpty() ? "" : " " + TextFormat.plain(copy.version());
    return "Pool "
        + TextFormat.plain(copy.pool())
        + version
        + ", mode "
        + TextFormat.plain(copy.mode());
  }

  /**
   * Returns a paragraph with a line for each reason of missing data; empty if no data is missing.
   */
  static String notSeen(LeakReport leaks, HostView.Sampling pools, String more) {
    String lines =
        more
            + line(leaks.notWatched(), "Too many buffers in use at a time: ", " not watched.")
            + line(pools.failedSamples(), "Probably not enough memory: ", " not recorded.")
            + line(leaks.withoutStack(), "Too many stacks at a time: ", " kept without a stack.")
            + (leaks.failures() == 0
                ? ""
                : "  Watching, or a hint, failed "
                    + TextFormat.count(leaks.failures(), "time")
                    + ".\n");
    return lines.isEmpty() ? "" : "\n" + lines;
  }

  private static String line(long samples, String why, String what) {
    String were = samples == 1 ? " was" : " were";
    return samples == 0
        ? ""
        : "  " + why + TextFormat.count(samples, "sample") + were + what + "\n";
  }
}
