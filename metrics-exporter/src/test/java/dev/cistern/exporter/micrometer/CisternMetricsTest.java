/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.schema.Detail;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CisternMetricsTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();
  private final SimpleMeterRegistry simple = new SimpleMeterRegistry();
  private final AtomicLong nanos = new AtomicLong(-5 * SECOND_NANOS);
  private final AtomicReference<HostReport> report = new AtomicReference<>(Fixtures.numbered(1));
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean isBroken;

  private CisternMetrics metrics(MicrometerOptions options) {
    return new CisternMetrics(
        () -> {
          reads.incrementAndGet();
          if (isBroken) {
            throw new IllegalStateException("no pools");
          }
          return report.get();
        },
        options,
        nanos::get);
  }

  private CisternMetrics bound(MeterRegistry registry) {
    CisternMetrics metrics = metrics(MicrometerOptions.DEFAULT);
    metrics.bindTo(registry);
    return metrics;
  }

  private void later() {
    nanos.addAndGet(SECOND_NANOS + 1);
  }

  private static double gauge(MeterRegistry registry, String name) {
    return registry.get(name).tag("memory", "heap").gauge().value();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "all"})
  void prometheusShowsTheSeriesOfTheCollector(String detail) {
    SeriesOptions exporter = SeriesOptions.DEFAULT.withDetail(Detail.parse(detail));
    HostReport everything = Fixtures.everything();
    report.set(everything);
    metrics(MicrometerOptions.DEFAULT.withExporter(exporter)).bindTo(prometheus);
    String ours = prometheus.scrape();
    String expected = Fixtures.metrics(everything, exporter);
    assertThat(Exposition.series(ours))
        .hasSizeGreaterThan(100)
        .isEqualTo(Exposition.series(Exposition.withoutHost(expected)));
    assertThat(Exposition.families(ours)).isEqualTo(Exposition.families(expected));
  }

  @Test
  void tagsOfTheHostCanBeHad() {
    HostReport everything = Fixtures.everything();
    report.set(everything);
    metrics(MicrometerOptions.DEFAULT.withHostTags(true)).bindTo(prometheus);
    assertThat(Exposition.series(prometheus.scrape()))
        .isEqualTo(Exposition.series(Fixtures.metrics(everything)))
        .containsKey("cistern_host_up{application=\"shop\"}");
  }

  @Test
  void namesAreDottedAndUnitsAreBaseUnits() {
    bound(simple);
    Gauge reserved = simple.get("cistern.reserved").tag("pool", "pool").gauge();
    assertThat(reserved.getId().getBaseUnit()).isEqualTo("bytes");
    assertThat(reserved.value()).isEqualTo(20_971_521);
    FunctionCounter requested = simple.get("cistern.requested").functionCounter();
    assertThat(requested.getId().getBaseUnit()).isEqualTo("bytes");
    assertThat(simple.get("cistern.start.time").gauge().getId().getBaseUnit()).isEqualTo("seconds");
    assertThat(simple.get("cistern.allocations").functionCounters()).hasSize(3);
    assertThat(simple.get("cistern.thread.caches").gauge().getId().getBaseUnit()).isNull();
    assertThat(simple.get("cistern.build.info").tag("version", "0.1.0").gauge().value()).isOne();
    assertThat(simple.getMeters())
        .allMatch(meter -> meter.getId().getName().matches("cistern(\\.[a-z]+)+"))
        .allMatch(meter -> !meter.getId().getName().endsWith(".total"))
        .allMatch(meter -> meter.getId().getTag("host_id") == null);
  }

  @Test
  void residentMemoryAndItsWayAreMetersIfTheyAreKnown() {
    report.set(Fixtures.everything());
    SeriesOptions many = SeriesOptions.DEFAULT.withSeriesLimit(1_000);
    metrics(MicrometerOptions.DEFAULT.withExporter(many)).bindTo(simple);
    Gauge resident = simple.get("cistern.resident").tag("pool", "io.netty").gauge();
    assertThat(resident.getId().getBaseUnit()).isEqualTo("bytes");
    assertThat(resident.getId().getTag("memory")).isEqualTo("direct");
    assertThat(resident.value()).isEqualTo(12 << 20);
    assertThat(simple.get("cistern.memory.way").tag("way", "mmap_jdk").gauge().value()).isOne();
    assertThat(simple.get("cistern.resident").gauges()).hasSize(1);
    assertThat(simple.get("cistern.memory.way").gauges()).hasSize(1);
  }

  @Test
  void theSourceIsReadAgainOnlyForALaterScrape() {
    bound(simple);
    report.set(Fixtures.numbered(2));
    nanos.addAndGet(SECOND_NANOS);
    assertThat(gauge(simple, "cistern.reserved")).isEqualTo(20_971_521);
    nanos.incrementAndGet();
    // The same scrape continues, although its reading is old now.
    assertThat(gauge(simple, "cistern.pinned")).isEqualTo(3_145_729);
    assertThat(reads).hasValue(1);
    // A second read of the same meter starts another scrape.
    assertThat(gauge(simple, "cistern.reserved")).isEqualTo(20_971_522);
    assertThat(gauge(simple, "cistern.pinned")).isEqualTo(3_145_730);
    assertThat(reads).hasValue(2);
  }

  @Test
  void aScrapeEndsWhenAThreadPauses() {
    bound(simple);
    assertThat(gauge(simple, "cistern.reserved")).isEqualTo(20_971_521);
    report.set(Fixtures.numbered(2));
    later();
    assertThat(gauge(simple, "cistern.pinned")).isEqualTo(3_145_730);
  }

  @Test
  void noScrapeLastsForever() {
    bound(simple);
    List<Meter> meters = simple.getMeters();
    report.set(Fixtures.numbered(2));
    for (int i = 0; i < 30; i++) {
      nanos.addAndGet(SECOND_NANOS / 2);
      meters.get(i).measure().forEach(measurement -> measurement.getValue());
    }
    assertThat(reads.get()).isBetween(2, 4);
  }

  @Test
  void sitesAppearAndDisappear() {
    report.set(Fixtures.leaking(List.of("a.B.c:1")));
    bound(prometheus);
    assertThat(prometheus.scrape()).contains("site=\"a.B.c:1\"").doesNotContain("a.B.d:2");
    report.set(Fixtures.leaking(List.of("a.B.d:2")));
    later();
    prometheus.scrape();
    // The scrape that finds a new site has no series for it; the next scrape has.
    String leaks = "cistern_leaks_total{memory=\"direct\",pool=\"io.netty\",site=\"%s\"}";
    assertThat(Exposition.series(prometheus.scrape()))
        .containsEntry(leaks.formatted("a.B.d:2"), 2.0)
        .doesNotContainKey(leaks.formatted("a.B.c:1"));
  }

  @Test
  void seriesStayWithinTheBudgetHoweverManySitesThereAre() {
    List<String> sites = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      sites.add("a.B.c:" + i);
    }
    report.set(Fixtures.leaking(sites));
    bound(simple);
    assertThat(simple.getMeters()).hasSizeBetween(100, 200);
  }

  @Test
  void countersNeverDecrease() {
    report.set(Fixtures.numbered(100));
    bound(simple);
    FunctionCounter requests = simple.get("cistern.thread.cache.requests").functionCounter();
    assertThat(requests.count()).isEqualTo(100_100);
    report.set(Fixtures.numbered(1));
    later();
    assertThat(requests.count()).isEqualTo(100_100);
    assertThat(gauge(simple, "cistern.pinned")).isEqualTo(3_145_729);
  }

  @Test
  void failuresKeepTheLastValuesAndAreCounted() {
    CisternMetrics metrics = bound(prometheus);
    int size = Exposition.series(prometheus.scrape()).size();
    isBroken = true;
    later();
    assertThat(Exposition.series(prometheus.scrape()))
        .hasSize(size)
        .containsEntry("cistern_up", 0.0)
        .containsEntry("cistern_scrape_errors_total", 1.0)
        .containsEntry("cistern_pinned_bytes{memory=\"heap\",pool=\"pool\"}", 3_145_729.0);
    isBroken = false;
    report.set(Fixtures.numbered(5));
    later();
    assertThat(Exposition.series(prometheus.scrape()))
        .containsEntry("cistern_up", 1.0)
        .containsEntry("cistern_pinned_bytes{memory=\"heap\",pool=\"pool\"}", 3_145_733.0);
    assertThat(metrics.refused()).isZero();
  }

  @Test
  void aSourceThatFailsFromTheStartShowsAllOnceItWorks() {
    isBroken = true;
    bound(prometheus);
    assertThat(Exposition.series(prometheus.scrape()))
        .containsOnlyKeys("cistern_up", "cistern_scrape_errors_total");
    isBroken = false;
    later();
    prometheus.scrape();
    assertThat(Exposition.series(prometheus.scrape())).hasSizeGreaterThan(40);
  }

  @Test
  void closingRemovesEveryMeterFromEveryRegistry() {
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    SimpleMeterRegistry part = new SimpleMeterRegistry();
    composite.add(part);
    FunctionCounter other =
        FunctionCounter.builder("cistern.of.others", nanos, AtomicLong::get).register(simple);
    CisternMetrics metrics = metrics(MicrometerOptions.DEFAULT);
    for (MeterRegistry registry : List.of(prometheus, simple, composite)) {
      metrics.bindTo(registry);
    }
    assertThat(part.getMeters()).hasSize(composite.getMeters().size()).isNotEmpty();
    metrics.close();
    assertThat(prometheus.getMeters()).isEmpty();
    assertThat(prometheus.scrape()).isBlank();
    assertThat(simple.getMeters()).containsExactly(other);
    assertThat(part.getMeters()).isEmpty();
    assertThatThrownBy(() -> metrics.bindTo(simple)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void bindingTwiceIsBindingOnce() {
    CisternMetrics metrics = bound(simple);
    int meters = simple.getMeters().size();
    metrics.bindTo(simple);
    assertThat(simple.getMeters()).hasSize(meters);
    metrics.close();
    assertThat(simple.getMeters()).isEmpty();
  }

  @Test
  void aMeterThatTheRegistryRefusesIsCountedAndTheRestIsRegistered() {
    Gauge.builder("cistern.pinned.bytes", () -> 1).tag("other", "tags").register(prometheus);
    CisternMetrics metrics = bound(prometheus);
    later();
    prometheus.scrape();
    assertThat(metrics.refused()).isOne();
    assertThat(prometheus.scrape()).contains("cistern_reserved_bytes{");
  }

  @Test
  void agesOutOfTheRangeAreRefusedWithTheRange() {
    for (Duration age : List.of(Duration.ZERO, Duration.ofMinutes(2))) {
      assertThatThrownBy(() -> MicrometerOptions.DEFAULT.withMaxAge(age))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("maxAge: " + age + " (expected: PT0.001S to PT1M)");
    }
  }
}
