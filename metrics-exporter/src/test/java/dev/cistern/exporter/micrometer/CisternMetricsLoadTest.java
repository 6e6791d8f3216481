/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.testing.GarbageCollection;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Meters with the real clock, real pools, several threads and the garbage collector. */
class CisternMetricsLoadTest {
  private static final int SCRAPES = 150;
  private static final MicrometerOptions QUICK =
      MicrometerOptions.DEFAULT.withMaxAge(Duration.ofMillis(1));

  private static PrometheusMeterRegistry prometheus() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  @Test
  @Tag("full")
  void everyScrapeIsOneReadingWithConcurrentScrapes() throws Exception {
    AtomicLong number = new AtomicLong();
    List<PrometheusMeterRegistry> registries = List.of(prometheus(), prometheus());
    try (CisternMetrics metrics =
        new CisternMetrics(
            () -> Fixtures.numbered(number.incrementAndGet()),
            // An age that is longer than a busy machine delays a thread within a scrape.
            MicrometerOptions.DEFAULT.withExporter(SeriesOptions.DEFAULT.withDetail(Detail.ALL)))) {
      registries.forEach(metrics::bindTo);
      List<Callable<Void>> tasks = new ArrayList<>();
      registries.forEach(registry -> tasks.add(() -> scrapeOften(registry)));
      tasks.add(() -> scrapeOften(registries.get(0)));
      run(tasks);
    }
    assertThat(number.get()).isGreaterThan(3);
  }

  private static Void scrapeOften(PrometheusMeterRegistry registry) {
    long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
    while (System.nanoTime() < end) {
      Map<String, Double> series = Exposition.series(registry.scrape());
      double pinned = series.get("cistern_pinned_bytes{memory=\"heap\",pool=\"pool\"}");
      double reserved = series.get("cistern_reserved_bytes{memory=\"heap\",pool=\"pool\"}");
      double huge = series.get("cistern_huge_pinned_bytes{memory=\"heap\",pool=\"pool\"}");
      assertThat(reserved - 20_971_520).isEqualTo(pinned - 3_145_728).isEqualTo(huge - 2_097_152);
    }
    return null;
  }

  private static void run(List<Callable<Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void countersGrowUnderLoadAndMemoryAddsUpAtRest() throws Exception {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    PrometheusMeterRegistry registry = prometheus();
    AtomicBoolean isOver = new AtomicBoolean();
    try (CisternMetrics metrics =
        new CisternMetrics(new AllocatorSource("shop").add("orders", allocator), QUICK)) {
      metrics.bindTo(registry);
      run(List.of(() -> allocate(allocator, isOver), () -> watch(registry, isOver)));
      Awaitility.await().untilAsserted(() -> assertMemoryAddsUp(registry.scrape()));
    }
  }

  private static Void allocate(PooledByteBufAllocator allocator, AtomicBoolean isOver) {
    for (int i = 0; !isOver.get(); i++) {
      ByteBuf buffer = allocator.directBuffer(1 << (i % 16));
      buffer.release();
    }
    return null;
  }

  private static Void watch(PrometheusMeterRegistry registry, AtomicBoolean isOver) {
    try {
      Map<String, Double> before = new HashMap<>();
      for (int i = 0; i < SCRAPES; i++) {
        Map<String, Double> now = Exposition.series(registry.scrape());
        before.forEach(
            (name, value) -> {
              if (name.contains("_total")) {
                assertThat(now.get(name)).as(name).isGreaterThanOrEqualTo(value);
              }
            });
        before.putAll(now);
      }
    } finally {
      isOver.set(true);
    }
    return null;
  }

  private static void assertMemoryAddsUp(String scrape) {
    Map<String, Double> series = Exposition.series(scrape);
    String labels = "{memory=\"direct\",pool=\"orders\"}";
    double parts = 0;
    for (String part : List.of("pinned", "cached", "free")) {
      parts += series.get("cistern_" + part + "_bytes" + labels);
    }
    assertThat(series.get("cistern_reserved_bytes" + labels)).isPositive().isEqualTo(parts);
    assertThat(series.get("cistern_pinned_bytes" + labels)).isZero();
  }

  @Test
  void metersWithoutReferencesSurviveTheGarbageCollector() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    WeakReference<CisternMetrics> metrics = bind(registry);
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    GarbageCollection.until(() -> garbage.get() == null);
    assertThat(metrics.get()).isNotNull();
    for (Gauge gauge : registry.get("cistern.reserved").gauges()) {
      assertThat(gauge.value()).isPositive();
    }
    FunctionCounter requests = registry.get("cistern.thread.cache.requests").functionCounter();
    double before = requests.count();
    Awaitility.await().until(() -> requests.count() > before);
  }

  /** Binds a source whose values grow with each reading. */
  private static WeakReference<CisternMetrics> bind(MeterRegistry registry) {
    AtomicLong number = new AtomicLong();
    CisternMetrics metrics =
        new CisternMetrics(() -> Fixtures.numbered(number.incrementAndGet()), QUICK);
    metrics.bindTo(registry);
    return new WeakReference<>(metrics);
  }
}
