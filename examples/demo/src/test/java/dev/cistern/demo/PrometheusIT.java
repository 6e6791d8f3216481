/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.PrometheusServer;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scrapes the application with a real Prometheus, and compares the results of queries with the load
 * of the test.
 */
class PrometheusIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int LEAKS = 128;
  private static final String SITE = "example.app.Leaks.forgetToRelease";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void queriesReturnTheLoadOfTheTest(String netty) throws Exception {
    Tool.path("prometheus", "prometheus");
    try (ServerProcess server = Demo.startServed(Demo.host(netty));
        PrometheusServer prometheus =
            PrometheusServer.start(directory, Map.of("demo", Demo.metrics(server).port()))) {
      Metrics metrics = Demo.metrics(server);
      // There are two samples before the load, so that increase() covers all of the load.
      awaitValue(prometheus, "count_over_time(cistern_up[1m]) >= bool 2", 1);
      LoadReport load = LoadDriver.run(server.port(), server.tlsPort(), Demo.plan(8, 5_000));
      assertThat(load.firstFailure()).isNull();
      assertLoadArrived(prometheus, load, metrics);
      assertLeaksArrive(prometheus, server);
      // On a busy machine, a scrape may take longer than the timeout of Prometheus.
      await().atMost(LIMIT).untilAsserted(() -> assertTargetIsUp(prometheus));
    }
  }

  private static void assertTargetIsUp(PrometheusServer prometheus) {
    assertThat(prometheus.api("targets").getObject("data").getArray("activeTargets"))
        .singleElement()
        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("health", "up")
        .containsEntry("lastError", "");
  }

  private static void assertLoadArrived(
      PrometheusServer prometheus, LoadReport load, Metrics metrics) throws IOException {
    // A connection that closes may still allocate, so both values must come from the same attempt.
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(ifThere(prometheus, "sum(cistern_allocations_total)"))
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

  private static void assertLeaksArrive(PrometheusServer prometheus, ServerProcess server)
      throws IOException {
    String leaks = "sum(cistern_leaks_total{site=~'" + SITE.replace(".", "\\\\.") + ".*'})";
    assertThat(ifThere(prometheus, leaks).orElse(0)).as("before").isZero();
    PacedLeak.run(server.port(), LEAKS);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(ifThere(prometheus, leaks).orElse(0))
                    .isBetween(LEAKS / 8.0, LEAKS * 2.0));
    assertThat(prometheus.query("sum by (site) (cistern_leaks_total) > 0"))
        .anyMatch(leak -> leak.labels().getOrDefault("site", "").contains(SITE));
    // A leaked buffer is never released, so its memory stays pinned. The last scrape may predate
    // the leak.
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(value(prometheus, "sum(cistern_pinned_bytes)"))
                    .isGreaterThanOrEqualTo((double) LEAKS * PacedLeak.BYTES_PER_REQUEST));
  }

  /** Checks the format while the application works, and with leaks to show. */
  @Test
  void promtoolIsContentWithTheTextFormat() throws Exception {
    String promtool = Tool.path("promtool", "prometheus");
    try (ServerProcess server = Demo.startServed(Demo.host("4.1"))) {
      Metrics metrics = Demo.metrics(server);
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

  /** Returns the complaints of {@code promtool check metrics}. */
  private String check(String promtool, byte[] exposition) throws Exception {
    Path input = Files.write(directory.resolve("exposition.txt"), exposition);
    Tool.Outcome outcome =
        Tool.run(
            new ProcessBuilder(promtool, "check", "metrics").redirectInput(input.toFile()), 10);
    return outcome.status() == 0 ? outcome.printed() : outcome.toString();
  }

  /** Returns the value of a query that has one result; empty if it has none. */
  private static OptionalDouble ifThere(PrometheusServer prometheus, String query) {
    List<PrometheusServer.Sample> samples = prometheus.query(query);
    assertThat(samples).as("one result only: " + query).hasSizeLessThan(2);
    return samples.stream().mapToDouble(PrometheusServer.Sample::value).findFirst();
  }

  private static double value(PrometheusServer prometheus, String query) {
    return ifThere(prometheus, query).orElseThrow(() -> new AssertionError("no result: " + query));
  }

  private static void awaitValue(PrometheusServer prometheus, String query, double expected) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(ifThere(prometheus, query)).as(query).hasValue(expected));
  }
}
