/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that a leak of the application is found, with its allocation site. */
class LeaksIT {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final String COUNT = "cistern_leaks_total";
  private static final String BYTES = "cistern_leaked_bytes_total";
  private static final int LEAKS = 128;

  private static final String SITE = "example.app.Leaks.forgetToRelease";

  @ParameterizedTest
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void theSiteThatLeaksIsShownWithItsStack(Demo.Host host) throws Exception {
    try (ServerProcess server = Demo.startServed(host)) {
      Metrics metrics = Demo.metrics(server);
      LoadReport load = LoadDriver.run(server.port(), server.tlsPort(), Demo.plan(8, 2_000));
      assertThat(load.firstFailure()).isNull();
      get(server, "/gc");
      assertThat(metrics.scrape().sum(COUNT)).as("before any leak").isZero();

      PacedLeak.run(server.port(), LEAKS);
      double leaked = (double) LEAKS * PacedLeak.BYTES_PER_REQUEST;
      Exposition scrape = metrics.scrapeUntil(s -> atSite(BYTES, s) >= leaked / 2, LIMIT);
      // A sample has a weight of 512 KiB or more, so the estimate is within about 15 % of the true
      // value.
      assertThat(atSite(BYTES, scrape)).as("estimate").isBetween(leaked / 2, leaked * 2);
      assertThat(atSite(COUNT, scrape)).as("samples").isBetween(LEAKS / 8.0, LEAKS * 2.0);
      assertThat(scrape.sum(COUNT)).as("nowhere else").isEqualTo(atSite(COUNT, scrape));

      assertThat(metrics.get("/leaks"))
          .contains(SITE)
          // The report shows the whole stack, including the caller of the leaking method.
          .contains("example.app.Router.leak")
          .contains("example.app.RequestHandler.channelRead0");
    }
  }

  private static double atSite(String metric, Exposition scrape) {
    return scrape
        .samples(metric)
        .filter(sample -> sample.label("site").startsWith(SITE))
        .mapToDouble(Exposition.Sample::value)
        .sum();
  }

  private static void get(ServerProcess server, String target) throws IOException {
    assertThat(HttpConnection.get(Demo.HOST, server.port(), target).status()).isEqualTo(200);
  }
}
