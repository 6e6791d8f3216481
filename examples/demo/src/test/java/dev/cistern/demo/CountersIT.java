/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the counters of {@code /metrics} match the load. */
class CountersIT {
  private static final Duration REST_LIMIT = Duration.ofSeconds(15);

  @ParameterizedTest
  @Tag("F1")
  @Tag("F2")
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void countersMatchTheLoad(Demo.Host host) throws Exception {
    try (ServerProcess server = Demo.startServed(host)) {
      Metrics metrics = Demo.metrics(server);
      Demo.assertServes(server);
      Exposition before = atRest(metrics);
      get(server, 400, "/bytes?size=700");
      get(server, 30, "/bytes?size=1000000");
      get(server, 5, "/bytes?size=9000000");
      Exposition after = atRest(metrics);

      assertThat(grown(before, after, "small")).as("small").isGreaterThanOrEqualTo(400);
      assertThat(grown(before, after, "normal")).as("normal").isGreaterThanOrEqualTo(30);
      assertThat(grown(before, after, "huge")).as("huge").isEqualTo(5);
      assertThat(
              after.sum("cistern_requested_bytes_total")
                  - before.sum("cistern_requested_bytes_total"))
          .as("requested bytes")
          .isGreaterThanOrEqualTo(400 * 700 + 30 * 1e6 + 5 * 9e6);
    }
  }

  @ParameterizedTest
  @Tag("A8")
  @Tag("F2")
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void allMemoryIsFreedWhenTheLoadEnds(Demo.Host host) throws Exception {
    try (ServerProcess server = Demo.startServed(host)) {
      Metrics metrics = Demo.metrics(server);
      Exposition before = metrics.scrape();
      LoadReport load = LoadDriver.run(server.port(), server.tlsPort(), Demo.plan(12, 6_000));
      assertThat(load.firstFailure()).isNull();
      Exposition after = atRest(metrics);

      assertThat(after.sum("cistern_allocations_total") - before.sum("cistern_allocations_total"))
          .as("at least one buffer for each request")
          .isGreaterThanOrEqualTo((double) load.requests());
      assertThat(after.sum("cistern_deallocations_total"))
          .as("each is released")
          .isEqualTo(after.sum("cistern_allocations_total"));
      assertThat(after.sum("cistern_fallback_allocations_total")).as("fell back").isZero();
      assertThat(after.sum("cistern_thread_cache_hits_total"))
          .isPositive()
          .isLessThanOrEqualTo(after.sum("cistern_thread_cache_requests_total"));
      assertBytesAddUp(after);
      assertThat(after.sum("cistern_reserved_bytes")).isPositive();
      assertCopyIsServed(host, after);
    }
  }

  @ParameterizedTest
  @Tag("F2")
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void bytesAddUpInEveryScrapeUnderLoad(Demo.Host host) throws Exception {
    try (ServerProcess server = Demo.startServed(host);
        LoadDriver load = LoadDriver.start(server.port(), server.tlsPort(), Demo.plan(8, 4_000))) {
      Metrics metrics = Demo.metrics(server);
      double allocations = 0;
      while (load.isRunning()) {
        Exposition scrape = metrics.scrape();
        assertBytesAddUp(scrape);
        double now = scrape.sum("cistern_allocations_total");
        assertThat(now).as("a counter never goes back").isGreaterThanOrEqualTo(allocations);
        allocations = now;
      }
      assertThat(load.await().firstFailure()).isNull();
    }
  }

  private static void assertCopyIsServed(Demo.Host host, Exposition scrape) {
    assertThat(scrape.samples("cistern_netty_copy_info", "pool", "io.netty"))
        .singleElement()
        .satisfies(
            copy -> {
              assertThat(copy.label("mode")).isEqualTo("swap");
              assertThat(copy.label("version")).startsWith(host.netty() + ".");
            });
  }

  private static void assertBytesAddUp(Exposition scrape) {
    for (String memory : scrape.sumBy("cistern_reserved_bytes", "memory").keySet()) {
      double pinned = scrape.sum("cistern_pinned_bytes", "memory", memory);
      double cached = scrape.sum("cistern_cached_bytes", "memory", memory);
      double free = scrape.sum("cistern_free_bytes", "memory", memory);
      assertThat(scrape.sum("cistern_reserved_bytes", "memory", memory))
          .as(memory + ": reserved = pinned + cached + free")
          .isEqualTo(pinned + cached + free);
      assertThat(Math.min(pinned, Math.min(cached, free))).as(memory).isNotNegative();
    }
  }

  private static Exposition atRest(Metrics metrics) throws IOException {
    Exposition scrape = metrics.scrapeUntil(CountersIT::isAtRest, REST_LIMIT);
    assertThat(scrape.sumIfThere("cistern_pinned_bytes"))
        .as("pinned bytes when the load has ended and its connections are closed")
        .hasValue(0);
    return scrape;
  }

  private static boolean isAtRest(Exposition scrape) {
    return scrape.sumIfThere("cistern_pinned_bytes").orElse(1) == 0
        && scrape.sum("cistern_allocations_total") == scrape.sum("cistern_deallocations_total");
  }

  private static double grown(Exposition before, Exposition after, String sizeGroup) {
    String name = "cistern_allocations_total";
    return after.sum(name, "size_group", sizeGroup) - before.sum(name, "size_group", sizeGroup);
  }

  private static void get(ServerProcess server, int times, String target) throws IOException {
    try (HttpConnection connection = HttpConnection.open(Demo.HOST, server.port())) {
      for (int i = 0; i < times; i++) {
        assertThat(connection.get(target).status()).isEqualTo(200);
      }
    }
  }
}
