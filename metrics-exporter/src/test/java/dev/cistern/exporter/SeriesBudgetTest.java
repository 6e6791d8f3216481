/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.stats.NettyReport;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many copies a process has, it keeps to its budget, and what is left out is counted. */
class SeriesBudgetTest {
  private static final String DROPPED = "cistern_series_dropped_total";

  private static HostReport host(int copies) {
    return Reports.host(
        IntStream.range(0, copies)
            .mapToObj(i -> Reports.copy("io.netty" + i, Reports.leaks()))
            .toArray(CopyReport[]::new));
  }

  private static long count(Map<String, Double> series, String metric, String pool) {
    return series.keySet().stream()
        .filter(name -> name.startsWith(metric + "{") && name.contains("pool=\"" + pool + "\""))
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void aProcessKeepsToItsBudgetHoweverManyCopiesItHas(int copies) {
    HostReport report = host(copies);
    CisternCollector collector = new CisternCollector(() -> report);
    Map<String, Double> series = Scrape.series(collector);
    assertThat(series).hasSizeLessThanOrEqualTo(ExporterOptions.DEFAULT_SERIES);
    for (CopyReport copy : report.copies()) {
      for (String core : List.of("reserved", "pinned", "cached", "free")) {
        assertThat(count(series, "cistern_" + core + "_bytes", copy.pool())).isEqualTo(2);
      }
      assertThat(count(series, "cistern_netty_copy_info", copy.pool())).isOne();
      assertThat(count(series, "cistern_leaks_total", copy.pool())).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 10, 30})
  void copiesWithoutRoomForTheirCoreFiguresAreLeftOutAndCounted(int copies) {
    HostReport report = host(copies);
    Map<String, Double> series = Scrape.series(new CisternCollector(() -> report));
    assertThat(series).hasSizeLessThanOrEqualTo(ExporterOptions.DEFAULT_SERIES);
    assertThat(series.get(DROPPED)).isPositive();
    assertThat(count(series, "cistern_reserved_bytes", "io.netty0")).isEqualTo(2);
    Map<String, Double> all =
        Scrape.series(
            new CisternCollector(() -> report, ExporterOptions.DEFAULT.withSeriesLimit(10_000)));
    assertThat(count(all, "cistern_reserved_bytes", "io.netty" + (copies - 1))).isEqualTo(2);
  }

  @Test
  void whatIsLeftOutIsCountedAtEachScrapeAndShownWithALargerLimit() {
    HostReport report = host(4);
    CisternCollector collector = new CisternCollector(() -> report);
    Map<String, Double> narrow = Scrape.series(collector);
    double dropped = narrow.get(DROPPED);
    assertThat(Scrape.series(collector)).containsEntry(DROPPED, 2 * dropped);
    Map<String, Double> wide =
        Scrape.series(
            new CisternCollector(() -> report, ExporterOptions.DEFAULT.withSeriesLimit(1_000)));
    assertThat(wide).containsEntry(DROPPED, 0.0);
    long sites = wide.keySet().stream().filter(SeriesBudgetTest::isOfASite).count();
    long shownSites = narrow.keySet().stream().filter(SeriesBudgetTest::isOfASite).count();
    assertThat(wide.size() - sites).isEqualTo((int) (narrow.size() - shownSites + dropped));
  }

  private static Map<String, Double> scrapeWith(int allocators) {
    CopyReport plain = Reports.copy("io.netty", Reports.leaks());
    CopyReport copy =
        new CopyReport(
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
            NettyReport.NONE.withInventory(Reports.inventory(allocators)));
    return Scrape.series(new CisternCollector(() -> Reports.host(copy)));
  }

  @Test
  void twentyAllocatorsOfACopyAreListedAndTheOthersCounted() {
    Map<String, Double> all = scrapeWith(20);
    assertThat(count(all, "cistern_allocator_info", "io.netty")).isEqualTo(20);
    assertThat(all.get(DROPPED)).isZero();
    Map<String, Double> more = scrapeWith(23);
    assertThat(count(more, "cistern_allocator_info", "io.netty")).isEqualTo(20);
    assertThat(more).containsEntry(DROPPED, 3.0);
  }

  private static boolean isOfASite(String series) {
    return series.contains("site=");
  }

  @Test
  void theFirstCopiesAreShownInFull() {
    Map<String, Double> series = Scrape.series(new CisternCollector(() -> host(3)));
    assertThat(count(series, "cistern_chunks", "io.netty0")).isPositive();
    assertThat(count(series, "cistern_chunks", "io.netty2")).isZero();
  }

  @Test
  void detailIsOnlyThereOnRequest() {
    Map<String, Double> without = Scrape.series(new CisternCollector(Reports::host));
    assertThat(without.keySet())
        .noneMatch(name -> name.matches("cistern_(arena|size)_.*[{].*" + "(arena|size)=.*"));
    Map<String, Double> arenas =
        Scrape.series(
            new CisternCollector(Reports::host, ExporterOptions.DEFAULT.withDetail(Detail.ARENAS)));
    int shown = Reports.host().copies().get(0).pools().stream().mapToInt(p -> p.arenas()).sum();
    assertThat(arenas).hasSize(without.size() + 13 * shown);
    Map<String, Double> sizes =
        Scrape.series(
            new CisternCollector(Reports::host, ExporterOptions.DEFAULT.withDetail(Detail.SIZES)));
    int classes =
        Reports.host().copies().get(0).pools().stream()
            .mapToInt(pool -> pool.shape().sizeClasses())
            .sum();
    assertThat(sizes).hasSize(without.size() + 5 * classes);
  }

  @Test
  void detailThatDoesNotFitIsLeftOutPoolByPoolAndCounted() {
    ExporterOptions options =
        ExporterOptions.DEFAULT.withDetail(Detail.ALL).withSeriesLimit(ExporterOptions.MIN_SERIES);
    Map<String, Double> series = Scrape.series(new CisternCollector(() -> host(2), options));
    assertThat(series).hasSizeLessThanOrEqualTo(ExporterOptions.MIN_SERIES);
    assertThat(series.get(DROPPED)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 299, 100_001, Integer.MIN_VALUE})
  void aLimitOutOfItsRangeIsRefusedWithTheRange(int limit) {
    assertThatThrownBy(() -> ExporterOptions.DEFAULT.withSeriesLimit(limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("seriesLimit: " + limit + " (expected: 300 to 100000 series of a host)");
  }
}
