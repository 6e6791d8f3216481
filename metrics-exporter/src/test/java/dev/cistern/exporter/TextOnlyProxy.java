/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * A proxy that requests the text format for each scrape, because Prometheus 2.42 has no setting for
 * the format.
 */
final class TextOnlyProxy implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;
  private final URI target;

  TextOnlyProxy(int targetPort) throws IOException {
    target = URI.create("http://127.0.0.1:" + targetPort + "/metrics");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/metrics", this::relay);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void relay(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpRequest request =
          HttpRequest.newBuilder(target).header("Accept", "text/plain;version=0.0.4").build();
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      exchange
          .getResponseHeaders()
          .set("Content-Type", response.headers().firstValue("Content-Type").orElse("none"));
      exchange.sendResponseHeaders(response.statusCode(), response.body().length);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
