/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;

/** Receives the spans of an OpenTelemetry agent over OTLP. */
final class SpanReceiver implements AutoCloseable {
  private final HttpServer server;

  /** The encoded requests, in which names are readable. */
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();

  private SpanReceiver(HttpServer server) {
    this.server = server;
  }

  static SpanReceiver start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    SpanReceiver receiver = new SpanReceiver(server);
    server.createContext(
        "/v1/traces",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          receiver.requests.add(new String(body, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return receiver;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Waits until spans with each of these paths have arrived. */
  void awaitSpans(String... paths) {
    Awaitility.await("spans")
        .atMost(HostProcess.LIMIT)
        .untilAsserted(() -> assertThat(String.join("", requests)).contains(paths));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
