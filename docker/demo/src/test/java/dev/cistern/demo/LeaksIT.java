/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A buffer that the application forgets is found, with the place that forgot it. */
class LeaksIT {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** 64 MiB: 128 samples are expected at the default of one each 512 KiB. */
  private static final String LEAK = "/leak?count=4096&size=16384";

  private static final String SITE = "example.app.Leaks.forgetToRelease";

  @ParameterizedTest
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void theSiteThatLeaksIsShownWithItsStack(Demo.Host host) throws Exception {
    Metrics metrics = new Metrics(Ports.free());
    try (ServerProcess server = Demo.startServed(host, metrics)) {
      LoadReport load = LoadDriver.run(server.port(), server.tlsPort(), Demo.plan(8, 2_000));
      assertThat(load.firstFailure()).isNull();
      get(server, "/gc");
      assertThat(metrics.scrape().sum("cistern_leaks_total")).as("before any leak").isZero();

      get(server, LEAK);
      get(server, "/gc");
      Exposition scrape = metrics.scrapeUntil(s -> leaks(s) >= 32, LIMIT);
      assertThat(leaks(scrape)).as("sampled leaks at the site").isBetween(32.0, 512.0);
      assertThat(scrape.sum("cistern_leaks_total")).as("nowhere else").isEqualTo(leaks(scrape));

      assertThat(metrics.get("/leaks"))
          .contains(SITE)
          // The whole stack, down to what called the method that leaks.
          .contains("example.app.Router.leak")
          .contains("example.app.RequestHandler.channelRead0");
    }
  }

  private static double leaks(Exposition scrape) {
    return scrape
        .samples("cistern_leaks_total")
        .filter(sample -> sample.label("site").startsWith(SITE))
        .mapToDouble(Exposition.Sample::value)
        .sum();
  }

  private static void get(ServerProcess server, String target) throws IOException {
    assertThat(HttpConnection.get(Demo.HOST, server.port(), target).status()).isEqualTo(200);
  }
}
