/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A post-mortem shows the hour before the end. */
class RunUpTest {
  private static final long END = Reports.NOON_MILLIS;
  private static final List<History.Column> COLUMNS =
      List.of(
          new History.Column("pinned_bytes", "direct"),
          new History.Column("failed_allocations", "direct"),
          new History.Column("pinned_bytes", "heap"));

  /** Returns an hour in steps of ten seconds; a site grows in the last ten minutes. */
  private static History hour() {
    List<History.Point> points = new ArrayList<>();
    for (long before = 3_600_000; before >= 0; before -= 10_000) {
      long leak = Math.max(0, 600_000 - before) * 1_024;
      List<Long> values = List.of(5_120 + leak, before == 0 ? 3L : Figure.ABSENT, 77L);
      List<History.Site> sites = new ArrayList<>(List.of(new History.Site("app.Steady:1", 5_120)));
      if (leak > 0) {
        sites.add(new History.Site("app.Leak\u001b:2", leak));
      }
      points.add(new History.Point(END - before, values, sites));
    }
    return new History(COLUMNS, points);
  }

  @Test
  void linesAreCloserTowardsTheEnd() {
    List<String> lines = RunUp.lines(hour(), END);
    assertThat(lines).filteredOn(line -> line.contains("pinned")).hasSize(11);
    assertThat(lines)
        .contains(
            "  " + TextFormat.time(END - 3_600_000) + "  pinned 5.0 KiB",
            "  " + TextFormat.time(END) + "  pinned 585.9 MiB, failed allocations 3");
  }

  @Test
  void aSiteHasTheTimeSinceWhenItGrew() {
    assertThat(RunUp.lines(hour(), END))
        .endsWith(
            "  app.Steady:1 held 5.0 KiB at the end, and more than a tenth of that before the"
                + " history begins",
            "  app.Leak?:2 held 585.9 MiB at the end, and a tenth of that or less until "
                + TextFormat.time(END - 540_000));
  }

  @Test
  void withoutAHistoryThereIsNothing() {
    assertThat(RunUp.lines(History.NONE, END)).isEmpty();
  }
}
