/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.HostView;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.RankedLeaks;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeakSiteSelectorTest {
  private static List<LeakSiteSelector.Series> series(int limit, RankedLeaks... ranked) {
    LeakReport leaks =
        new LeakReport(
            "simple",
            List.of(
                Reports.entry("direct", "a.B.c:1", 10, 1_000),
                Reports.entry("direct", "a.B.c:2", 5, 500)),
            List.of(Reports.others("direct", 3, 30)),
            List.of(ranked),
            0,
            0,
            0,
            0);
    return LeakSiteSelector.of(
        HostView.of(Reports.host(Reports.copy("io.netty", leaks, LiveReport.EMPTY)))
            .copies()
            .get(0),
        limit);
  }

  private static List<String> text(List<LeakSiteSelector.Series> series) {
    return series.stream()
        .map(one -> one.memory() + ' ' + one.site() + ' ' + one.leaks() + ' ' + one.bytes())
        .toList();
  }

  @Test
  void aSiteHasTheLeaksOfThePlacesThatAreNamed() {
    RankedLeaks[] ranked = {
      new RankedLeaks("direct", "a.B.c:2", 0, 1, 100),
      new RankedLeaks("direct", "a.B.c:2", 1, 2, 200),
      new RankedLeaks("direct", "a.B.c:1", 1, 4, 400)
    };
    assertThat(text(series(0, ranked)))
        .containsExactlyInAnyOrder("direct other 18 1530", "heap other 0 0");
    assertThat(text(series(1, ranked)))
        .containsExactlyInAnyOrder(
            "direct a.B.c:2 1 100", "direct other 17 1430", "heap other 0 0");
    assertThat(text(series(2, ranked)))
        .containsExactlyInAnyOrder(
            "direct a.B.c:2 3 300",
            "direct a.B.c:1 4 400",
            "direct other 11 830",
            "heap other 0 0");
  }

  @Test
  void aHostThatGivesManySitesOnePlaceHasNoMoreSeries() {
    assertThat(
            text(
                series(
                    1,
                    new RankedLeaks("direct", "a.B.c:1", 0, 1, 100),
                    new RankedLeaks("direct", "a.B.c:2", 0, 1, 100))))
        .containsExactlyInAnyOrder(
            "direct a.B.c:1 1 100", "direct other 17 1430", "heap other 0 0");
  }

  @Test
  void theExampleOfTheRestIsTheLatestOfThoseWithoutASeries() {
    List<LeakSiteSelector.Series> both =
        series(
            2,
            new RankedLeaks("direct", "a.B.c:1", 0, 10, 1_000),
            new RankedLeaks("direct", "a.B.c:2", 1, 5, 500));
    assertThat(both)
        .extracting(one -> one.latest().site())
        .containsExactly("a.B.c:1", "a.B.c:2", "com.shop.Till.open:3", "");
    assertThat(series(0).get(0).latest().site()).isEqualTo("a.B.c:1");
  }

  @Test
  void inconsistentCountsOfAPlaceAreNotNegative() {
    assertThat(text(series(1, new RankedLeaks("direct", "a.B.c:1", 0, 100, Long.MAX_VALUE))))
        .contains("direct other 0 0");
  }
}
