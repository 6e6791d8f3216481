/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spring Cloud Gateway under load, and with filters that leak buffers. */
class GatewayIT {
  private static final String FILTERS = "example.hosts.gateway.";

  /**
   * A site is a suspect after 24 samples in seven windows. The number of requests in a second, and
   * so the time until then, depends on the load of the machine.
   */
  private static final Duration LIMIT = Duration.ofSeconds(150);

  private static final int BODY_BYTES = 50_000;
  private static final Pattern SUSPECT = Pattern.compile("SUSPECT (\\S+) \\(hash");

  @TempDir private Path folder;

  @Test
  void underLoad() throws Exception {
    HostCommand host = Hosts.echo("gateway", "gateway.GatewayHost");
    Comparison.underLoad(host.calledBy(HttpLoad.echoToTheEnd()), "io.netty");
  }

  /** Checks that a filter that allocates the leaked buffers is named at all defaults. */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void filtersThatLeakTheirOwnBuffersAreSuspectsWithoutACollection() throws Exception {
    Path collections = folder.resolve("collections");
    HostCommand command =
        Hosts.echo("gateway", "gateway.GatewayHost")
            .withAgent("listen=127.0.0.1:0,statsDirectory=none")
            .with(
                "-Xms2g",
                "-Xmx2g",
                "-Xmn1500m",
                "-XX:MetaspaceSize=256m",
                "-Xlog:gc:file=" + collections);
    try (HostProcess host = HostProcess.start(command)) {
      int port = host.ports().get(0);
      Metrics metrics = host.metrics(1, () -> HttpLoad.echo().touch(port));
      long before = numberOfCollections(collections);
      AtomicReference<String> live = new AtomicReference<>("");
      long start = System.nanoTime();
      Awaitility.await("suspects")
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                request("/copy", port);
                request("/replace", port);
                live.set(metrics.get("/live"));
                return hasSuspect(live.get(), "CopyingFilter.apply:")
                    && hasSuspect(live.get(), "ReplacingFilter.apply:");
              });
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(Locale.ROOT, "both filters were suspects after %.1f s%n", seconds);
      assertThat(numberOfCollections(collections)).as("collections").isEqualTo(before);
      assertThat(live.get())
          .as("no other suspect")
          .satisfies(text -> assertThat(SUSPECT.matcher(text).results()).hasSize(2));
    }
  }

  private static boolean hasSuspect(String live, String site) {
    return live.contains("SUSPECT " + FILTERS + site);
  }

  private static long numberOfCollections(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains("Pause")).count();
    }
  }

  private static void request(String path, int port) throws Exception {
    try (LoadConnection connection = LoadConnection.open(port)) {
      byte[] body = new byte[BODY_BYTES];
      connection.post(path, body, body.length);
      assertThat(connection.receive()).isEqualTo(body);
    }
  }
}
