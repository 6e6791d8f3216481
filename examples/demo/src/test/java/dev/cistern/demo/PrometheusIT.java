/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Prometheus scrapes the application, and its queries return what the test did. */
class PrometheusIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int LEAKS = 128;
  private static final String SITE = "example.app.Leaks.forgetToRelease";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void queriesReturnWhatTheTestDid(String netty) throws Exception {
    Prometheus.require("prometheus");
    Metrics metrics = new Metrics(Ports.free());
    try (ServerProcess server = Demo.startServed(Demo.host(netty), metrics);
        Prometheus prometheus = Prometheus.start(directory, metrics.port())) {
      // Two samples before the load: increase() then has all of the load between two samples.
      awaitValue(prometheus, "count_over_time(cistern_up[1m]) >= bool 2", 1);
      LoadReport load = LoadDriver.run(server.port(), server.tlsPort(), Demo.plan(8, 5_000));
      assertThat(load.firstFailure()).isNull();
      assertLoadArrived(prometheus, load, metrics);
      assertLeaksArrive(prometheus, server);
      assertThat(prometheus.targets()).contains("\"health\":\"up\"").contains("\"lastError\":\"\"");
    }
  }

  private static void assertLoadArrived(Prometheus prometheus, LoadReport load, Metrics metrics)
      throws IOException {
    // A connection that closes may still allocate: only both values in one try are comparable.
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(prometheus.value("sum(cistern_allocations_total)"))
                    .hasValue(metrics.scrape().sum("cistern_allocations_total")));
    awaitValue(prometheus, "sum(cistern_pinned_bytes)", 0);
    assertThat(value(prometheus, "sum(increase(cistern_allocations_total[5m]))"))
        .isGreaterThanOrEqualTo((double) load.requests());
    assertThat(
            value(
                prometheus,
                "sum(abs(cistern_reserved_bytes - cistern_pinned_bytes"
                    + " - cistern_cached_bytes - cistern_free_bytes))"))
        .isZero();
    assertThat(
            value(
                prometheus,
                "sum(increase(cistern_thread_cache_hits_total[5m]))"
                    + " / sum(increase(cistern_thread_cache_requests_total[5m]))"))
        .isBetween(0.5, 1.0);
    assertThat(value(prometheus, "cistern_netty_copy_info{mode='swap',pool='io.netty'}")).isOne();
    assertThat(value(prometheus, "min(min_over_time(cistern_up[5m]))")).isOne();
  }

  private static void assertLeaksArrive(Prometheus prometheus, ServerProcess server)
      throws IOException {
    String leaks = "sum(cistern_leaks_total{site=~'" + SITE.replace(".", "\\\\.") + ".*'})";
    assertThat(prometheus.value(leaks).orElse(0)).as("before").isZero();
    PacedLeak.run(server.port(), LEAKS);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(prometheus.value(leaks).orElse(0)).isBetween(LEAKS / 8.0, LEAKS * 2.0));
    assertThat(prometheus.answer("sum by (site) (cistern_leaks_total) > 0")).contains(SITE);
    // A leaked buffer is never released: its memory stays pinned.
    assertThat(value(prometheus, "sum(cistern_pinned_bytes)"))
        .isGreaterThanOrEqualTo((double) LEAKS * PacedLeak.BYTES_PER_REQUEST);
  }

  /** Also while the application works, and with leaks to show. */
  @Test
  void promtoolIsContentWithTheTextFormat() throws Exception {
    Path promtool = Prometheus.require("promtool");
    Metrics metrics = new Metrics(Ports.free());
    try (ServerProcess server = Demo.startServed(Demo.host("4.1"), metrics)) {
      Demo.assertServes(server);
      PacedLeak.run(server.port(), 8);
      metrics.scrapeUntil(scrape -> scrape.sum("cistern_leaks_total") > 0, LIMIT);
      HttpReply reply = HttpConnection.get(Demo.HOST, metrics.port(), "/metrics");
      assertThat(new String(reply.raw(), StandardCharsets.UTF_8))
          .containsPattern("(?i)content-type: text/plain; version=0\\.0\\.4")
          .contains("cistern_leaks_total{");
      assertThat(check(promtool, reply.body())).isEmpty();
    }
  }

  /** What {@code promtool check metrics} complains of. */
  private static String check(Path promtool, byte[] exposition) throws Exception {
    Process process =
        new ProcessBuilder(promtool.toString(), "check", "metrics")
            .redirectErrorStream(true)
            .start();
    try (var in = process.getOutputStream()) {
      in.write(exposition);
    }
    String complaints = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() == 0 ? complaints : "status " + process.exitValue() + complaints;
  }

  private static double value(Prometheus prometheus, String query) throws IOException {
    return prometheus.value(query).orElseThrow(() -> new AssertionError("no result: " + query));
  }

  private static void awaitValue(Prometheus prometheus, String query, double expected) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(prometheus.value(query)).as(query).hasValue(expected));
  }
}
