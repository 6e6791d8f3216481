/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.stats.NettyReport;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process keeps to its series budget with any number of copies, and counts the series that it
 * leaves out.
 */
class SeriesBudgetTest {
  private static final String DROPPED = "cistern_series_dropped";

  private static HostReport host(int copies) {
    return Reports.host(
        IntStream.range(0, copies)
            .mapToObj(i -> Reports.copy("io.netty" + i, Reports.leaks()))
            .map(Holders::watched)
            .toArray(PoolReport[]::new));
  }

  private static long count(Map<String, Double> series, String metric, String pool) {
    return series.keySet().stream()
        .filter(name -> name.startsWith(metric + "{") && name.contains("pool=\"" + pool + "\""))
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aProcessKeepsToItsBudgetHoweverManyCopiesItHas(int copies) {
    HostReport report = host(copies);
    CisternCollector collector = new CisternCollector(() -> report);
    Map<String, Double> series = Scrape.series(collector);
    assertThat(series).hasSizeLessThanOrEqualTo(SeriesOptions.DEFAULT_SERIES);
    for (PoolReport copy : report.copies()) {
      for (String core : List.of("reserved", "pinned", "cached", "free")) {
        assertThat(count(series, "cistern_" + core + "_bytes", copy.pool())).isEqualTo(2);
      }
      assertThat(count(series, "cistern_netty_copy_info", copy.pool())).isOne();
      assertThat(count(series, "cistern_leaks_total", copy.pool())).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void anExporterWithAllItsFiguresIsPartOfTheBudget(int copies) {
    ExporterState.Source all =
        to -> ExporterFigures.EXPORTER.figures().forEach(figure -> to.set(figure, 1));
    HostReport report = host(copies);
    Map<String, Double> series =
        Scrape.series(new CisternCollector(Hosts.of(() -> report), SeriesOptions.DEFAULT, all));
    assertThat(series).hasSizeLessThanOrEqualTo(SeriesOptions.DEFAULT_SERIES);
    assertThat(count(series, "cistern_reserved_bytes", "io.netty0")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 10, 30})
  void copiesWithoutRoomForTheirCoreFiguresAreLeftOutAndCounted(int copies) {
    HostReport report = host(copies);
    Map<String, Double> series = Scrape.series(new CisternCollector(() -> report));
    assertThat(series).hasSizeLessThanOrEqualTo(SeriesOptions.DEFAULT_SERIES);
    assertThat(series.get(DROPPED)).isPositive();
    assertThat(count(series, "cistern_reserved_bytes", "io.netty0")).isEqualTo(2);
    Map<String, Double> all =
        Scrape.series(
            new CisternCollector(() -> report, SeriesOptions.DEFAULT.withSeriesLimit(10_000)));
    assertThat(count(all, "cistern_reserved_bytes", "io.netty" + (copies - 1))).isEqualTo(2);
  }

  /**
   * A site without a name gets none later: its leaks would leave the series of the other sites,
   * which must not decrease.
   */
  @Test
  void poolsShareTheLeakSitesAndNoPoolGetsMoreLater() {
    HostReport[] shown = {host(8)};
    CisternCollector collector =
        new CisternCollector(() -> shown[0], SeriesOptions.DEFAULT.withSites(2, 0));
    for (int pool = 0; pool < 4; pool++) {
      assertThat(leaks(Scrape.series(collector), "io.netty" + pool, "other")).isEqualTo(4);
    }
    shown[0] = host(1);
    assertThat(namedSites(Scrape.series(collector))).isEqualTo(1);
    assertThat(namedSites(Scrape.series(new CisternCollector(() -> shown[0])))).isEqualTo(2);
  }

  private static long namedSites(Map<String, Double> series) {
    return series.keySet().stream()
        .filter(name -> name.startsWith("cistern_leaks_total"))
        .filter(name -> !name.contains("site=\"other\""))
        .count();
  }

  private static @Nullable Double leaks(Map<String, Double> series, String pool, String site) {
    return series.get(
        "cistern_leaks_total{memory=\"direct\",pool=\"" + pool + "\",site=\"" + site + "\"}");
  }

  @Test
  void omittedSeriesAreCountedAndShownWithALargerLimit() {
    HostReport report = host(3);
    CisternCollector collector = new CisternCollector(() -> report);
    Map<String, Double> narrow = Scrape.series(collector);
    double dropped = narrow.get(DROPPED);
    assertThat(Scrape.series(collector)).containsEntry(DROPPED, dropped);
    Map<String, Double> wide =
        Scrape.series(
            new CisternCollector(() -> report, SeriesOptions.DEFAULT.withSeriesLimit(1_000)));
    assertThat(wide).containsEntry(DROPPED, 0.0);
    long sites = wide.keySet().stream().filter(SeriesBudgetTest::isOfASite).count();
    long shownSites = narrow.keySet().stream().filter(SeriesBudgetTest::isOfASite).count();
    assertThat(wide.size() - sites).isEqualTo((int) (narrow.size() - shownSites + dropped));
  }

  private static Map<String, Double> scrapeWith(int allocators) {
    PoolReport plain = Reports.copy("io.netty", Reports.leaks());
    PoolReport copy =
        new PoolReport(
            plain.pool(),
            plain.version(),
            plain.mode(),
            plain.reason(),
            plain.pools(),
            plain.served(),
            plain.fellBack(),
            plain.failures(),
            plain.leaks(),
            plain.live(),
            NettyReport.NONE.withInventory(Reports.inventory(allocators)),
            ModeChange.UNKNOWN,
            List.of());
    return Scrape.series(new CisternCollector(() -> Reports.host(copy)));
  }

  @Test
  void allocatorsBeyondTheLimitAreCounted() {
    assertThat(count(scrapeWith(20), "cistern_allocator_info", "io.netty")).isEqualTo(20);
    Map<String, Double> more = scrapeWith(100);
    assertThat(more).hasSizeLessThanOrEqualTo(SeriesOptions.DEFAULT_SERIES);
    assertThat(more.get(DROPPED)).isEqualTo(80);
  }

  private static boolean isOfASite(String series) {
    return series.contains("site=");
  }

  @Test
  void theFirstCopiesAreShownInFull() {
    Map<String, Double> series = Scrape.series(new CisternCollector(() -> host(2)));
    assertThat(count(series, "cistern_chunks", "io.netty0")).isPositive();
    assertThat(count(series, "cistern_chunks", "io.netty1")).isZero();
  }

  @Test
  void detailIsOnlyThereOnRequest() {
    Map<String, Double> without = Scrape.series(new CisternCollector(Reports::host));
    assertThat(without.keySet())
        .noneMatch(name -> name.matches("cistern_(arena|size)_.*[{].*" + "(arena|size)=.*"));
    Map<String, Double> arenas =
        Scrape.series(
            new CisternCollector(
                Reports::host, SeriesOptions.DEFAULT.withDetail(Detail.parse("arenas"))));
    int shown = Reports.host().copies().get(0).pools().stream().mapToInt(p -> p.arenas()).sum();
    assertThat(arenas).hasSize(without.size() + 13 * shown);
    Map<String, Double> sizes =
        Scrape.series(
            new CisternCollector(
                Reports::host, SeriesOptions.DEFAULT.withDetail(Detail.parse("sizes"))));
    int classes =
        Reports.host().copies().get(0).pools().stream()
            .mapToInt(pool -> pool.layout().sizeClasses())
            .sum();
    assertThat(sizes).hasSize(without.size() + 5 * classes);
  }

  @Test
  void detailThatDoesNotFitIsLeftOutPoolByPoolAndCounted() {
    SeriesOptions options = SeriesOptions.DEFAULT.withDetail(Detail.ALL).withSeriesLimit(3_000);
    Map<String, Double> series = Scrape.series(new CisternCollector(() -> host(40), options));
    assertThat(series).hasSizeBetween(1_000, 5_000);
    assertThat(series.get(DROPPED)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 99, 100_001, Integer.MIN_VALUE})
  void aLimitOutOfItsRangeIsRefusedWithTheRange(int limit) {
    assertThatThrownBy(() -> SeriesOptions.DEFAULT.withSeriesLimit(limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("seriesLimit: " + limit + " (expected: 100 to 100000)");
  }
}
