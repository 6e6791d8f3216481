/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.cistern.exporter.http.AcceptHeader;
import dev.cistern.exporter.http.MediaType;
import dev.cistern.testing.PrometheusServer;
import dev.cistern.testing.Tool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The exporter understands the requests of this machine's real Prometheus. */
@Timeout(120)
@Tag("full")
class PrometheusAcceptTest {
  private static final List<MediaType> OFFERS =
      List.of(
          MediaType.parse("text/plain; version=0.0.4; charset=utf-8"),
          MediaType.parse("application/openmetrics-text; version=1.0.0; charset=utf-8"));

  @Test
  void itRequestsOpenMetricsAndGzip(@TempDir Path directory) throws Exception {
    Tool.path("prometheus", "prometheus");
    List<List<String>> accepts = new CopyOnWriteArrayList<>();
    List<List<String>> encodings = new CopyOnWriteArrayList<>();
    HttpServer recorder =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    recorder.createContext(
        "/",
        exchange -> {
          try (exchange) {
            accepts.add(exchange.getRequestHeaders().get("Accept"));
            encodings.add(exchange.getRequestHeaders().get("Accept-Encoding"));
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            byte[] body = "up_to_now 1\n".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    recorder.start();
    PrometheusServer prometheus =
        PrometheusServer.start(directory, Map.of("recorder", recorder.getAddress().getPort()));
    try {
      await().atMost(Duration.ofSeconds(60)).until(() -> !encodings.isEmpty());
    } finally {
      prometheus.close();
      recorder.stop(0);
    }
    System.out.println("Accept: " + accepts.get(0) + ", Accept-Encoding: " + encodings.get(0));
    assertThat(AcceptHeader.parse(accepts.get(0)).choose(OFFERS)).isEqualTo(OFFERS.get(1));
    assertThat(AcceptHeader.allowsGzip(encodings.get(0))).isTrue();
  }
}
