/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.web.TestKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint in a separate process, and far more connections than it accepts. */
@Timeout(60)
class ConnectionLimitTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int MAX_CONNECTIONS = 64;
  private static final int CONNECTIONS = 300;

  /** Maximum number of JAR files that the process opens during a test. */
  private static final int FEW_FILES = 20;

  @TempDir static Path directory;

  private static TestKeys keys;
  private static Path webConfig;

  private final List<Socket> sockets = new ArrayList<>();
  private EndpointProcess process;
  private RawHttp client;

  @BeforeAll
  static void makeKeys() throws Exception {
    keys = new TestKeys(directory).authority("ca").signed("server", "ca");
    webConfig = keys.webConfig("server", "server");
  }

  private void start(boolean isTls) throws Exception {
    process =
        isTls
            ? new EndpointProcess(directory, webConfig.toString())
            : new EndpointProcess(directory);
    client = isTls ? RawHttp.tls(process.port(), keys, "ca", null) : RawHttp.plain(process.port());
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ");
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    process.close();
  }

  private void connect(int count, String sent) throws IOException {
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.port());
      sockets.add(socket);
      socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private double counted(String series) throws IOException {
    return client
        .getWhenPossible("/metrics")
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .findAny()
        .orElse(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void silentConnectionsBeyondTheLimitAreClosedAtOnceAndCounted(boolean isTls) throws Exception {
    start(isTls);
    int before = process.usage().openFiles();
    connect(CONNECTIONS, "");
    assertThat(process.usage().openFiles())
        .isLessThanOrEqualTo(before + MAX_CONNECTIONS + FEW_FILES);
    assertThat(counted("cistern_http_connections_rejected_total"))
        .isGreaterThanOrEqualTo(CONNECTIONS - MAX_CONNECTIONS);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void silentConnectionsAreClosedAfterFiveSeconds(boolean isTls) throws Exception {
    start(isTls);
    connect(8, "");
    connect(8, isTls ? "\u0016\u0003\u0001" : "GET /met");
    long start = System.nanoTime();
    for (Socket socket : sockets) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(3_500), Duration.ofSeconds(8));
    await()
        .atMost(LIMIT)
        .until(() -> counted("cistern_http_requests_refused_total{reason=\"slow\"}") >= 16);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScrapeIsServedWhileSilentConnectionsHoldAllPlaces(boolean isTls) throws Exception {
    start(isTls);
    connect(CONNECTIONS, "");
    for (int i = 0; i < 20; i++) {
      assertThat(client.getWhenPossible("/metrics"))
          .startsWith("HTTP/1.1 200 ")
          .contains("cistern_up 1");
      connect(5, "GET /met");
    }
  }
}
