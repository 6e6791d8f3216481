/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Matcher;

/** The endpoint of a host's agent, at the port that the agent prints. */
final class AgentEndpoint {
  /** The agent's setting for a port that the system chooses. */
  static final String LISTEN = "listen=127.0.0.1:0";

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final int port;

  private AgentEndpoint(int port) {
    this.port = port;
  }

  /** Returns the endpoint that the agent names on the host's standard error. */
  static AgentEndpoint of(RunningHost host) {
    return await("the agent names its endpoint")
        .atMost(LIMIT)
        .until(() -> named(String.join("\n", host.errors())), Objects::nonNull);
  }

  /** Returns the endpoint that the agent names by JMX, even if it serves no copy. */
  static AgentEndpoint byJmx(RunningHost host) {
    return await("the agent names its endpoint")
        .atMost(LIMIT)
        .until(() -> named(String.valueOf(host.attribute("Endpoint"))), Objects::nonNull);
  }

  private static AgentEndpoint named(String text) {
    Matcher address = Program.CISTERN_LISTENS.matcher(text);
    return address.find() ? new AgentEndpoint(Integer.parseInt(address.group(1))) : null;
  }

  int port() {
    return port;
  }

  /** Returns a scrape. */
  String metrics() throws IOException, InterruptedException {
    return body("/metrics");
  }

  /** Returns the body of the response to a request for a path. */
  String body(String path) throws IOException, InterruptedException {
    return CLIENT
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /**
   * Returns the sum over the series of a metric.
   *
   * @param labels labels that the series must have, each as {@code pool="io.netty"}
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
