/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.SiteFigures.HoldingSite;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LiveSiteSelectorTest {
  private static final int LIMIT = 4;
  private static final int KEPT_MILLIS = 300_000;

  private final LiveSiteSelector selector = new LiveSiteSelector();
  private final List<LiveStack> stacks = new ArrayList<>();
  private final List<SiteTrend> trends = new ArrayList<>();
  private long nowMillis = Reports.NOON_MILLIS;

  private void live(String site, long bytes) {
    stacks.add(Reports.stack("direct", site + ":1", 1, bytes));
  }

  private void suspect(String site, long bytes) {
    live(site, bytes);
    trends.add(new SiteTrend("direct", site + ":1", 1, 1, nowMillis));
  }

  private List<HoldingSite> choose(LiveReport live, int limit) {
    PoolReport copy = Reports.copy("p", LeakReport.EMPTY, live);
    List<CopyView> copies = HostView.of(Reports.host(copy)).copies();
    return selector.choose(copies, limit).get(copies.get(0));
  }

  /**
   * Chooses the sites with their own series, and returns them after a check of the total of all
   * series.
   */
  private Set<String> choose() {
    LiveReport live = new LiveReport(nowMillis, 1, stacks, trends, 0);
    List<HoldingSite> chosen = choose(live, LIMIT);
    double all = chosen.stream().mapToDouble(s -> s.live().bytes()).sum();
    assertThat(all).isEqualTo(stacks.stream().mapToDouble(s -> s.live().bytes()).sum());
    stacks.clear();
    trends.clear();
    nowMillis += 15_000;
    return chosen.stream()
        .map(HoldingSite::site)
        .filter(site -> !site.equals(SiteLabel.OTHER))
        .map(site -> site.substring(0, site.indexOf(':')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void suspectsAreFirstThenTheLargest() {
    for (int i = 1; i <= 8; i++) {
      live("s" + i, i * 100L);
    }
    suspect("small", 1);
    assertThat(choose()).containsExactly("s6", "s7", "s8", "small");
  }

  @Test
  void aSiteKeepsItsSeriesWhileItsPlaceIsNotFarBehind() {
    for (int i = 1; i <= 8; i++) {
      live("s" + i, i * 100L);
    }
    Set<String> first = choose();
    // All remaining sites are larger now, but not by much.
    for (int i = 1; i <= 8; i++) {
      live("s" + i, first.contains("s" + i) ? 100 : 101);
    }
    Set<String> second = choose();
    assertThat(second).hasSize(LIMIT).containsAnyElementsOf(first);
    assertThat(choose()).isEqualTo(second);
  }

  @Test
  void sitesThatChangePlacesDoNotBeginAndEndSeries() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Set<String> before = Set.of();
    int changes = 0;
    for (int round = 0; round < 200; round++) {
      for (int i = 1; i <= 2 * LIMIT; i++) {
        live("s" + i, i * 100L + random.nextInt(150));
      }
      Set<String> now = choose();
      changes += now.equals(before) ? 0 : 1;
      before = now;
    }
    assertThat(changes).as("seed " + seed).isLessThanOrEqualTo(3);
  }

  @Test
  void aNewSuspectTakesThePlaceOfOneThatIsFarBehind() {
    for (int i = 1; i <= 5; i++) {
      live("s" + i, i * 100L);
    }
    assertThat(choose()).containsExactly("s2", "s3", "s4", "s5");
    for (int i = 1; i <= 5; i++) {
      live("s" + i, i * 100L);
    }
    suspect("leak", 1);
    assertThat(choose()).containsExactly("leak", "s3", "s4", "s5");
  }

  @Test
  void aSiteThatBecomesTheLargestIsNotHiddenInTheRest() {
    for (int i = 1; i <= 6; i++) {
      live("s" + i, i * 100L);
    }
    choose();
    for (int i = 1; i <= 6; i++) {
      live("s" + i, i * 100L);
    }
    live("new", 10_000);
    assertThat(choose()).contains("new").hasSize(LIMIT);
  }

  @Test
  void anEmptySiteKeepsItsSeriesForAWhileUnlessAnotherNeedsIt() {
    live("a", 100);
    live("b", 100);
    assertThat(choose()).containsExactly("a", "b");
    live("a", 100);
    assertThat(choose()).containsExactly("a", "b");
    for (int i = 1; i <= 4; i++) {
      live("s" + i, 100);
    }
    assertThat(choose()).containsExactly("s1", "s2", "s3", "s4");
    nowMillis += KEPT_MILLIS;
    assertThat(choose()).isEmpty();
  }

  @Test
  void noSiteHasASeriesIfTheLimitIsZero() {
    live("a", 100);
    LiveReport live = new LiveReport(nowMillis, 1, stacks, trends, 0);
    assertThat(choose(live, 0)).extracting(HoldingSite::site).containsOnly(SiteLabel.OTHER);
  }
}
