/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostView;
import java.util.regex.Pattern;

/**
 * A check of exemplars: a single exemplar that Prometheus does not understand makes the scrape of
 * all hosts fail.
 */
final class Exemplars {
  private static final Pattern EXEMPLAR =
      Pattern.compile(
          "\\{site_hash=\"([0-9a-f]{12}|unknown)\"} -?[0-9]+[.][0-9]+(E[0-9]+)? [0-9]+[.][0-9]{3}");

  private Exemplars() {}

  /** Checks the exemplars of a report in OpenMetrics, and returns their number. */
  static int check(HostView report) {
    int found = 0;
    String[] lines = Fixtures.openMetrics(report).split("\n", -1);
    for (String line : lines) {
      int at = line.indexOf(" # {");
      if (at >= 0) {
        found++;
        if (!EXEMPLAR.matcher(line.substring(at + 3)).matches()) {
          throw new AssertionError(line);
        }
      }
    }
    return found;
  }
}
