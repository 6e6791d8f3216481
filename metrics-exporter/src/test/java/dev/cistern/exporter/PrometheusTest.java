/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.testing.PrometheusServer;
import dev.cistern.testing.PrometheusServer.Sample;
import dev.cistern.testing.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes a real exporter in both formats; its query results match the work of
 * the test.
 */
@Timeout(120)
@Tag("full")
class PrometheusTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int STILL_BUFFERS = 10_000;
  private static final int STILL_KEPT = 100;
  private static final int LEAKS = 7;

  @TempDir static Path directory;

  private static LoadedHost host;
  private static ExporterServer exporter;
  private static TextOnlyProxy proxy;
  private static PrometheusServer prometheus;

  @BeforeAll
  static void start() throws Exception {
    Tool.path("prometheus", "prometheus");
    host = new LoadedHost();
    host.start();
    host.allocateStill(STILL_BUFFERS, STILL_KEPT, 256);
    host.leak(LEAKS, 1000);
    exporter =
        ExporterServer.start(
            "127.0.0.1:0",
            host,
            ExporterOptions.DEFAULT.withSeries(SeriesOptions.DEFAULT.withSeriesLimit(1_000)));
    proxy = new TextOnlyProxy(exporter.port());
    prometheus =
        PrometheusServer.start(
            directory, Map.of("openmetrics", exporter.port(), "text", proxy.port()));
    await().atMost(LIMIT).until(() -> query("count_over_time(up[1m]) >= 4").size() == 2);
  }

  @AfterAll
  static void stop() throws Exception {
    if (prometheus != null) {
      prometheus.close();
      proxy.close();
      exporter.close();
    }
    if (host != null) {
      host.stop();
    }
  }

  private static List<Sample> query(String expression) throws Exception {
    return prometheus.query(expression);
  }

  /** Returns the value of an expression, which is equal in both formats. */
  private static double value(String expression) throws Exception {
    List<Sample> samples = query(expression);
    assertThat(samples).as(expression).hasSize(2);
    assertThat(samples.get(0).value()).as(expression).isEqualTo(samples.get(1).value());
    return samples.get(0).value();
  }

  /**
   * Waits for assertions: on a machine under load, a scrape can take longer than Prometheus waits
   * for it.
   */
  private static void awaitAsserted(ThrowingRunnable assertions) {
    await().atMost(LIMIT).untilAsserted(assertions);
  }

  @Test
  void bothFormatsAreScraped() {
    awaitAsserted(
        () -> {
          assertThat(value("up")).isEqualTo(1);
          assertThat(value("cistern_up")).isEqualTo(1);
          assertThat(value("min_over_time(up[3s])")).isEqualTo(1);
          assertThat(value("cistern_scrape_errors_total")).isZero();
        });
  }

  @Test
  void queriesReturnTheWorkOfTheTest() {
    awaitAsserted(PrometheusTest::assertWorkOfTheTest);
  }

  private static void assertWorkOfTheTest() throws Exception {
    String still = "{pool=\"still\",memory=\"heap\"}";
    assertThat(value("sum by (job) (cistern_allocations_total" + still + ")"))
        .isEqualTo(STILL_BUFFERS);
    assertThat(value("sum by (job) (cistern_deallocations_total" + still + ")"))
        .isEqualTo(STILL_BUFFERS - STILL_KEPT);
    assertThat(value("cistern_requested_bytes_total" + still)).isEqualTo(STILL_BUFFERS * 256.0);
    assertThat(value("cistern_pinned_bytes" + still)).isEqualTo(STILL_KEPT * 256.0);
    assertThat(
            value(
                "sum by (job) (cistern_reserved_bytes{pool=\"still\"}"
                    + " - cistern_pinned_bytes - cistern_cached_bytes - cistern_free_bytes)"))
        .isZero();
    assertThat(value("sum by (job) (cistern_leaks_total)")).isEqualTo(LEAKS);
    assertThat(value("sum by (job) (cistern_leaked_bytes_total)")).isEqualTo(LEAKS * 1000.0);
  }

  @Test
  void theLatestLeakIsKeptAsAnExemplar() {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(prometheus.exemplars("cistern_leaks_total{job=\"openmetrics\"}"))
                    .isNotEmpty()
                    .allMatch(exemplar -> exemplar.value() == 1_000)
                    .allMatch(e -> e.labels().getOrDefault("site_hash", "").length() == 12));
  }

  @Test
  void theLoadMovesTheCounters() {
    for (String counter :
        List.of(
            "cistern_allocations_total{pool=\"busy\",memory=\"direct\",size_group=\"small\"}",
            "cistern_allocations_total{pool=\"busy\",memory=\"heap\",size_group=\"normal\"}",
            "cistern_allocations_total{pool=\"busy\",memory=\"direct\",size_group=\"huge\"}",
            "cistern_thread_cache_hits_total{pool=\"busy\",memory=\"direct\"}",
            "cistern_served_allocations_total{pool=\"busy\"}")) {
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(query("rate(" + counter + "[10s])"))
                      .as(counter)
                      .hasSize(2)
                      .allMatch(sample -> sample.value() > 0));
    }
  }
}
