/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;

/** The endpoint of a host's agent, at a port that was free a moment ago. */
final class AgentEndpoint {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final int port;

  private AgentEndpoint(int port) {
    this.port = port;
  }

  /** One that no agent listens at yet. */
  static AgentEndpoint atFreePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new AgentEndpoint(free.getLocalPort());
    }
  }

  /** The agent's setting. */
  String listen() {
    return "listen=127.0.0.1:" + port;
  }

  /** A scrape. */
  String metrics() throws IOException, InterruptedException {
    return CLIENT
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /**
   * The sum over the series of a metric.
   *
   * @param labels what they are to have, each as {@code pool="io.netty"}
   */
  double sum(String metric, String... labels) throws IOException, InterruptedException {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(metric + '{') || line.startsWith(metric + ' '))
        .filter(line -> Arrays.stream(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
