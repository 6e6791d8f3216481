/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.stats.NettyReport;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("F1")
class CisternCollectorTest {
  private static final SeriesOptions ALL = SeriesOptions.DEFAULT.withDetail(Detail.ALL);

  private static String key(String metric, String memory) {
    return metric + "{memory=\"" + memory + "\",pool=\"io.netty\"}";
  }

  @Test
  void aFixedReportGivesExactlyThisText() {
    GoldenFile.check("scrape.txt", stable(Scrape.text(new CisternCollector(Reports::host))));
  }

  @Test
  void aFixedReportGivesExactlyThisOpenMetricsText() {
    GoldenFile.check(
        "scrape.openmetrics.txt", stable(Scrape.openMetrics(new CisternCollector(Reports::host))));
  }

  @Test
  void anObservedCopyGivesExactlyThisText() {
    HostReport report = Reports.host(Reports.observed());
    GoldenFile.check("observed.txt", stable(Scrape.text(new CisternCollector(() -> report))));
  }

  /** Returns a scrape without its duration, the only value that the report does not fix. */
  private static String stable(String scrape) {
    return scrape.replaceAll("(?m)^(cistern_scrape_duration_seconds) .*$", "$1 0.0");
  }

  @Test
  @Tag("F4")
  void reservedIsPinnedPlusCachedPlusFree() {
    Map<String, Double> series = Scrape.series(new CisternCollector(Reports::host));
    for (String memory : List.of("direct", "heap")) {
      assertEquals(
          series.get(key("cistern_reserved_bytes", memory)),
          series.get(key("cistern_pinned_bytes", memory))
              + series.get(key("cistern_cached_bytes", memory))
              + series.get(key("cistern_free_bytes", memory)));
    }
  }

  /** A Cistern pool of an earlier mode can remain. */
  @Test
  void reservedMemoryOfNettyIsAddedToARemainingPool() {
    PoolReport ours = Reports.copy("io.netty", Reports.leaks());
    PoolReport both =
        new PoolReport(
            ours.pool(),
            ours.version(),
            "observe",
            "",
            ours.pools(),
            0,
            0,
            0,
            ours.leaks(),
            ours.live(),
            Reports.netty(3),
            ModeChange.UNKNOWN,
            List.of());
    Map<String, Double> alone = Scrape.series(new CisternCollector(() -> Reports.host(ours), ALL));
    Map<String, Double> sums = Scrape.series(new CisternCollector(() -> Reports.host(both), ALL));
    assertEquals(
        alone.get(key("cistern_reserved_bytes", "direct")) + 3 * 8_000_000 + 6_000,
        sums.get(key("cistern_reserved_bytes", "direct")));
    for (String memory : List.of("direct", "heap")) {
      assertEquals(
          sums.get(key("cistern_reserved_bytes", memory)),
          sums.get(key("cistern_pinned_bytes", memory))
              + sums.get(key("cistern_cached_bytes", memory))
              + sums.get(key("cistern_free_bytes", memory)));
      assertEquals(
          alone.get(key("cistern_chunk_size_bytes", memory)),
          sums.get(key("cistern_chunk_size_bytes", memory)));
      assertEquals(
          alone.get(key("cistern_arenas", memory)) + 4, sums.get(key("cistern_arenas", memory)));
    }
  }

  @Test
  void aPoolWithoutALimitHasNoLimitSeries() {
    Map<String, Double> series = Scrape.series(new CisternCollector(Reports::host));
    assertEquals(1L << 30, series.get(key("cistern_limit_bytes", "direct")));
    assertNull(series.get(key("cistern_limit_bytes", "heap")));
  }

  @Test
  void oneScrapeReadsTheSourceOnce() {
    AtomicInteger reads = new AtomicInteger();
    CisternCollector collector =
        new CisternCollector(
            () -> {
              reads.incrementAndGet();
              return Reports.host();
            });
    Scrape.text(collector);
    assertEquals(1, reads.get());
  }

  @Test
  void aSourceThatFailsShowsAsDownAndIsCounted() {
    CisternCollector collector =
        new CisternCollector(
            () -> {
              throw new IllegalStateException("secret");
            });
    Scrape.text(collector);
    Map<String, Double> series = Scrape.series(collector);
    assertEquals(0.0, series.get("cistern_up"));
    assertEquals(2.0, series.get("cistern_scrape_errors_total"));
    assertFalse(Scrape.text(collector).contains("secret"));
  }

  @Test
  void aHostWithoutAPoolIsUp() {
    Map<String, Double> series =
        Scrape.series(new CisternCollector(() -> Reports.host(new PoolReport[0])));
    assertEquals(1.0, series.get("cistern_up"));
    assertTrue(series.keySet().stream().anyMatch(name -> name.startsWith("cistern_build_info")));
  }

  @Test
  void leakCountersAreThereFromTheStart() {
    CisternCollector collector =
        new CisternCollector(() -> Reports.host(Reports.copy("io.netty", LeakReport.EMPTY)));
    Map<String, Double> series = Scrape.series(collector);
    for (String memory : List.of("direct", "heap")) {
      String labels = "{memory=\"" + memory + "\",pool=\"io.netty\",site=\"other\"}";
      assertEquals(0.0, series.get("cistern_leaks_total" + labels));
      assertEquals(0.0, series.get("cistern_leaked_bytes_total" + labels));
    }
  }

  @Test
  void stacksWithOneSiteShareItsSeries() {
    List<LeakEntry> entries =
        List.of(
            Reports.entry("direct", "a.B.c:1", 2, 100), Reports.entry("direct", "a.B.c:1", 3, 200));
    Map<String, Double> series =
        Scrape.series(
            new CisternCollector(
                () -> Reports.host(Reports.copy("io.netty", Reports.leaks(entries)))));
    assertEquals(
        5.0,
        series.get("cistern_leaks_total{memory=\"direct\",pool=\"io.netty\",site=\"a.B.c:1\"}"));
  }

  @Test
  void aVeryLongSiteIsCutAndStaysDistinct() {
    List<LeakEntry> entries =
        IntStream.range(0, 2)
            .mapToObj(i -> Reports.entry("heap", "x".repeat(900) + ":" + i, 1, 1))
            .toList();
    Map<String, Double> series =
        Scrape.series(
            new CisternCollector(
                () -> Reports.host(Reports.copy("io.netty", Reports.leaks(entries)))));
    List<String> cut = series.keySet().stream().filter(s -> s.contains("xxx")).toList();
    assertEquals(4, cut.size());
    assertTrue(cut.stream().allMatch(s -> s.length() < 300), cut::toString);
  }

  @Test
  void descriptorsNameEveryFamilyAndRegister() {
    CisternCollector collector = Scrape.everything();
    Set<String> names =
        collector.getMetricFamilyDescriptors().stream()
            .map(MetricFamilyDescriptor::getPrometheusName)
            .collect(Collectors.toSet());
    assertEquals(families(), names.size());
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(collector);
    Set<String> scraped = new TreeSet<>();
    registry.scrape().forEach(family -> scraped.add(family.getMetadata().getPrometheusName()));
    assertEquals(new TreeSet<>(names), scraped);
    assertThrows(
        IllegalArgumentException.class,
        () -> registry.register(new CisternCollector(Reports::host)));
  }

  private static int families() {
    return Schema.scopes().stream()
        .mapToInt(scope -> scope.figures().size() + scope.histograms().size())
        .sum();
  }

  @Test
  void namesFollowTheConventions() {
    for (Scope<?> scope : Schema.scopes()) {
      for (Figure<?> figure : scope.figures()) {
        String name = figure.name();
        assertTrue(name.matches("cistern(_([a-z]+|http2))+"), name);
        assertEquals(figure.type() == Figure.Type.COUNTER, name.endsWith("_total"), name);
        assertFalse(Schema.labels(figure, true).contains("type"), name);
      }
    }
  }

  @Test
  void seriesOfAllLeaksAndLiveSitesStayWithinTheBudget() {
    for (int pools = 1; pools <= 12; pools++) {
      for (int leakSites : List.of(0, SeriesOptions.DEFAULT_SITES)) {
        int series = series(pools, leakSites, SeriesOptions.DEFAULT_SITES);
        assertTrue(series <= 200, pools + " pools, series: " + series);
      }
    }
  }

  /**
   * Returns the number of series of a host whose pools have as many leaks and live sites as the
   * stores hold.
   */
  private static int series(int pools, int leakSites, int liveSites) {
    List<LeakEntry> leaks =
        IntStream.range(0, 500)
            .mapToObj(i -> Reports.entry(i % 2 == 0 ? "direct" : "heap", "a.B.c:" + i, 1, 1))
            .toList();
    List<LiveStack> stacks =
        IntStream.range(0, 500)
            .mapToObj(i -> Reports.stack(i % 2 == 0 ? "direct" : "heap", "a.B.c:" + i, 1, i + 1))
            .toList();
    PoolReport[] copies =
        IntStream.range(0, pools)
            .mapToObj(
                i ->
                    Reports.copy(
                        "io.netty" + i, Reports.leaks(leaks), Reports.live(stacks, List.of())))
            .toArray(PoolReport[]::new);
    CisternCollector collector =
        new CisternCollector(
            () -> Reports.host(copies), SeriesOptions.DEFAULT.withSites(leakSites, liveSites));
    Scrape.series(collector);
    return Scrape.series(collector).size();
  }

  @Test
  void numbersOfSitesOutOfTheirRangeAreRefused() {
    for (int sites : List.of(-1, 33, Integer.MAX_VALUE)) {
      String leaks =
          assertThrows(
                  IllegalArgumentException.class, () -> SeriesOptions.DEFAULT.withSites(sites, 1))
              .getMessage();
      assertEquals("leakSites: " + sites + " (expected: 0 to 32)", leaks);
      String live =
          assertThrows(
                  IllegalArgumentException.class, () -> SeriesOptions.DEFAULT.withSites(1, sites))
              .getMessage();
      assertEquals("liveSites: " + sites + " (expected: 0 to 32)", live);
    }
  }

  @Test
  void liveBytesByAgeAndSiteAddUpToTheTotal() {
    Map<String, Double> series =
        Scrape.series(new CisternCollector(Reports::host, ALL.withSites(0, 1)));
    double direct =
        series.entrySet().stream()
            .filter(e -> e.getKey().startsWith("cistern_live_bytes{"))
            .filter(e -> e.getKey().contains("memory=\"direct\""))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    assertEquals(Reports.live().total("direct").bytes(), direct);
    // The only series is for the suspect, although another site holds more.
    String suspect =
        "cistern_live_buffers{memory=\"direct\",pool=\"io.netty\",site=\"com.shop.Cart.encode:42\"}";
    assertEquals(192.0, series.get(suspect));
    assertEquals(1.0, series.get(key("cistern_suspect_sites", "direct")));
    assertEquals(0.0, series.get(key("cistern_suspect_sites", "heap")));
    assertEquals(524_288.0, series.get(key("cistern_sample_interval_bytes", "heap")));
    assertEquals(1_048_576.0, series.get(key("cistern_sample_interval_largest_bytes", "heap")));
    assertEquals(
        Reports.live().total("direct").bytesError(),
        series.get(key("cistern_live_error_bytes", "direct")),
        1);
    assertEquals(851_968.0, series.get(key("cistern_live_lost_bytes", "direct")));
  }

  @Test
  void liveSeriesAreThereFromTheStart() {
    CisternCollector collector =
        new CisternCollector(
            () -> Reports.host(Reports.copy("io.netty", LeakReport.EMPTY, LiveReport.EMPTY)));
    Map<String, Double> series = Scrape.series(collector);
    for (String memory : List.of("direct", "heap")) {
      for (String age : List.of("under_10s", "under_1m", "under_10m", "older")) {
        String labels =
            "{age=\"" + age + "\",memory=\"" + memory + "\",pool=\"io.netty\",site=\"other\"}";
        assertEquals(0.0, series.get("cistern_live_bytes" + labels), age);
      }
      assertEquals(0.0, series.get(key("cistern_suspect_sites", memory)));
    }
  }

  @Test
  void leaksOfTheLibraryAreShownWithItsAllocatorsWithoutACopyOfNetty() {
    PoolReport pool = Reports.copy("buffers", LeakReport.EMPTY, LiveReport.EMPTY);
    PoolReport allocator =
        new PoolReport(
            "buffers",
            "",
            PoolReport.LIBRARY,
            "",
            pool.pools(),
            0,
            0,
            0,
            LeakReport.EMPTY,
            LiveReport.EMPTY,
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of());
    PoolReport library =
        new PoolReport(
            "library",
            "",
            PoolReport.LIBRARY,
            "",
            List.of(),
            0,
            0,
            0,
            Reports.leaks(),
            Reports.live(),
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of());
    Map<String, Double> series =
        Scrape.series(new CisternCollector(() -> Reports.host(allocator, library)));
    assertTrue(
        series.keySet().stream()
            .noneMatch(name -> name.matches("cistern_(netty_copy|served|fallback|bridge)_.*")));
    assertTrue(
        series.keySet().stream()
            .filter(name -> name.matches("cistern_(leaks|leaked|live|suspect)_.*"))
            .allMatch(name -> name.contains("pool=\"library\"")));
    assertTrue(series.containsKey("cistern_reserved_bytes{memory=\"heap\",pool=\"buffers\"}"));
  }
}
