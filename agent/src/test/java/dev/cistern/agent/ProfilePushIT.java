/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that pushes the live profile of its host, and stops when it is detached. */
class ProfilePushIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PYROSCOPE = "/push.v1.PusherService/Push";
  private static final String OTLP = "/v1development/profiles";

  @TempDir private Path folder;
  private HttpServer server;

  /** The body of the last request with the expected login, by path. */
  private final Map<String, byte[]> bodies = new ConcurrentHashMap<>();

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      String login = exchange.getRequestHeaders().getFirst("Authorization");
      boolean isLoggedIn = path.equals(PYROSCOPE) ? "Bearer hush".equals(login) : login == null;
      if (isLoggedIn) {
        bodies.put(path, body);
      }
      exchange.sendResponseHeaders(isLoggedIn ? 200 : 401, -1);
    }
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  void bothReceiversGetTheProfileUntilTheAgentLeaves() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "hush\n");
    String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
    try (RunningHost host =
        HostJvm.netty("4.2")
            .main("example.host.Steady")
            .agent(
                "listen=none,application=shop,sampleIntervalBytes=1k,pyroscopeEndpoint="
                    + endpoint
                    + ",pyroscopeIntervalSeconds=1,pyroscopeTokenFile="
                    + token
                    + ",otlpProfiles=on,otlpIntervalSeconds=1,otlpEndpoint="
                    + endpoint)
            .start()) {
      String held = host.order("hold 100");
      assertThat(held).isEmpty();
      await()
          .atMost(PATIENCE)
          .until(() -> bodies.containsKey(PYROSCOPE) && bodies.containsKey(OTLP));
      assertThat(new String(bodies.get(PYROSCOPE), StandardCharsets.ISO_8859_1))
          .contains("service_name", "shop", "io.netty");
      assertThat(host.threads()).contains("cistern-push-py", "cistern-push-ot");
      assertThat(host.order("drop")).isEmpty();
      assertThat(host.order("stop")).isEqualTo("0");
      assertThat(host.detachUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(1))).isPositive();
      await().atMost(PATIENCE).until(() -> !host.threads().contains("cistern"));
      assertThat(String.join("\n", host.errors())).doesNotContain("hush", "cannot push");
    }
  }

  @Test
  void aReceiverThatIsDownIsALineAndTheHostRuns() throws Exception {
    String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
    server.stop(0);
    try (RunningHost host =
        HostJvm.netty("4.1")
            .main("example.host.Steady")
            .agent(
                "listen=none,sampleIntervalBytes=1k,pyroscopeEndpoint="
                    + endpoint
                    + ",pyroscopeIntervalSeconds=1,otlpProfiles=on")
            .start()) {
      String held = host.order("hold 100");
      assertThat(held).isEmpty();
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  String.join("\n", host.errors())
                      .contains("cannot push the live profile to " + endpoint + ": "));
      assertThat(host.errors()).anyMatch(line -> line.contains("otlpProfiles: 'on' without"));
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }
}
