/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.web.TestKeys;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint in a separate process, and hostile clients, plain and with TLS. */
@Tag("alone")
@Timeout(150)
@Tag("full")
class HostileClientsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 500;
  private static final int LARGE_CLIENTS = 100;
  private static final int LARGE_CHARS = 380_000;
  private static final String SCRAPE = "GET /metrics HTTP/1.0\r\nHost: shop.example\r\n\r\n";
  private static final Executor OWN_THREAD = task -> new Thread(task, "hostile").start();

  @TempDir static Path directory;

  private static TestKeys keys;
  private static Path webConfig;

  private EndpointProcess process;
  private RawHttp client;

  @BeforeAll
  static void makeKeys() throws Exception {
    keys = new TestKeys(directory).authority("ca").signed("server", "ca");
    webConfig = keys.webConfig("server", "server");
  }

  private void start(boolean isTls) throws Exception {
    start(isTls, List.of("-Xmx64m", "-XX:+UseSerialGC"));
  }

  private void start(boolean isTls, List<String> options) throws Exception {
    if (isTls) {
      process = new EndpointProcess(directory, options, webConfig.toString());
      client = RawHttp.tls(process.port(), keys, "ca", null);
    } else {
      process = new EndpointProcess(directory, options);
      client = RawHttp.plain(process.port());
    }
  }

  @AfterEach
  void stop() throws Exception {
    assertThat(client.get("/-/healthy")).startsWith("HTTP/1.1 200 ");
    assertThat(process.errors()).isEmpty();
    process.close();
  }

  /** Maximum number of JAR files that the process opens during a test. */
  private static final int FEW_FILES = 20;

  /** Returns the response, or an empty text if the server ended the connection first. */
  private String send(String request) {
    try {
      return client.send(request);
    } catch (IOException e) {
      return "";
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noPathLeavesTheServer(boolean isTls) throws Exception {
    start(isTls);
    for (String path :
        List.of(
            "/../../../../etc/passwd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/metrics/..%2f..%2fetc/passwd",
            "/postmortem/..%2f..%2fetc/passwd",
            "/postmortem/../../etc/passwd",
            "/..%5c..%5cetc%5cpasswd",
            "/%00",
            "/metrics%00.txt",
            "//etc/passwd",
            "/%252e%252e/etc/passwd",
            "/" + "a".repeat(100_000),
            "/" + "../".repeat(20_000))) {
      String response = send("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n");
      assertThat(response)
          .as(path.substring(0, Math.min(50, path.length())))
          .containsPattern("^HTTP/1.1 4(00|04|14) ")
          .doesNotContain("root:", "Exception", "\tat ");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void methodsThatAreNotAllowedAreNamed(boolean isTls) throws Exception {
    start(isTls);
    for (String method : List.of("TRACE", "CONNECT", "OPTIONS", "get", "X", "DELETE", "PROPFIND")) {
      for (String path : List.of("/", "/metrics", "/leaks", "/-/healthy", "/debug/pprof/heap")) {
        assertThat(send(method + " " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n"))
            .as(method + " " + path)
            .startsWith("HTTP/1.1 405 ")
            .containsIgnoringCase("Allow: GET, HEAD")
            .doesNotContain("Exception", "com.shop");
      }
    }
    assertThat(send("GET /debug/dump HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .containsIgnoringCase("Allow: POST");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requestsOfAnyFormGetAResponseOrAreEnded(boolean isTls) throws Exception {
    start(isTls);
    String get = "GET /-/healthy HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String last = "GET /-/ready HTTP/1.0\r\nHost: localhost\r\n\r\n";
    assertThat(send(get + get + last).split("HTTP/1.1 200 ", -1)).hasSize(4);
    assertThat(send("GET /metrics?" + "a=b&".repeat(50_000) + " HTTP/1.0\r\n\r\n"))
        .doesNotContain("Exception");
    // At the same time, because some of them take a while.
    Map<String, CompletableFuture<String>> responses = new LinkedHashMap<>();
    for (String junk :
        List.of(
            "\r\n\r\n",
            "GET\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/9.9\r\nConnection: close\r\n\r\n",
            "\0\0\0\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET http://x/ HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.0\r\nContent-Length: -5\r\n\r\n",
            "POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
            "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
                + "abcd")) {
      responses.put(junk, CompletableFuture.supplyAsync(() -> send(junk), OWN_THREAD));
    }
    responses.forEach(
        (junk, response) ->
            assertThat(response.join())
                .as(junk)
                .doesNotContain("Exception", "\tat ", "HTTP/1.1 5"));
    for (String path : List.of("/", "/metrics", "/leaks", "/live", "/debug/pprof/heap")) {
      String headers = " HTTP/1.0\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
      assertThat(send("GET " + path + headers)).as(path).startsWith("HTTP/1.1 200 ");
      assertThat(send("HEAD " + path + headers)).as(path).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void headersThatAreTooLargeAreRefusedAndAMebibyteOfThemIsNotRead(boolean isTls) throws Exception {
    start(isTls);
    for (String headers : List.of("X-Large: " + "x".repeat(17_000), "X-A: b\r\n".repeat(190))) {
      String response = send("GET /metrics HTTP/1.0\r\n" + headers + "\r\n\r\n");
      assertThat(response)
          .startsWith(headers.length() > 16_384 ? "HTTP/1.1 431 " : "HTTP/1.1 200 ");
    }
    assertThat(send("GET /metrics?" + "a".repeat(17_000) + " HTTP/1.0\r\n\r\n"))
        .startsWith("HTTP/1.1 414 ");
    assertThat(client.get("/metrics"))
        .contains("cistern_http_requests_refused_total{reason=\"large\"} 2.0");
    String large = "X-Large: " + "x".repeat(1 << 20) + "\r\n";
    StringBuilder many = new StringBuilder();
    for (int i = 0; many.length() < 1 << 20; i++) {
      many.append("X-Header-").append(i).append(": ").append("x".repeat(40)).append("\r\n");
    }
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ");
    EndpointProcess.Usage before = process.usage();
    for (int i = 0; i < 20; i++) {
      for (String headers : List.of(large, many.toString())) {
        // The client can see the reset of its unsent bytes before the response.
        assertThat(send("GET /metrics HTTP/1.0\r\n" + headers + "\r\n"))
            .matches(response -> response.isEmpty() || response.startsWith("HTTP/1.1 431 "));
      }
    }
    assertFlat(before);
  }

  /** The requests together exceed the heap. */
  @ParameterizedTest
  @ValueSource(strings = {"GET /metrics HTTP/1.1\r\nX-Large: ", "GET /"})
  void largeRequestsThatNeverEndDoNotFillASmallHeap(String start) throws Exception {
    process = new EndpointProcess(directory, List.of("-Xmx40m", "-XX:+UseSerialGC"));
    client = RawHttp.plain(process.port());
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ");
    byte[] request = (start + "x".repeat(LARGE_CHARS)).getBytes(StandardCharsets.US_ASCII);
    for (int round = 0; round < 3; round++) {
      List<Socket> sockets = new ArrayList<>();
      try {
        for (int i = 0; i < LARGE_CLIENTS; i++) {
          sockets.add(sendAndWait(request));
        }
        assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ").contains("cistern_up 1");
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }

  private Socket sendAndWait(byte[] request) throws IOException {
    Socket socket = client.connect();
    try {
      socket.getOutputStream().write(request);
    } catch (IOException e) {
      // The server may end the connection before the last byte.
    }
    return socket;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manySlowConnectionsDoNotKeepAScrapeOut(boolean isTls) throws Exception {
    start(isTls);
    assertScrapedUnderAttack(isTls);
  }

  private void assertScrapedUnderAttack(boolean isTls) throws Exception {
    assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ");
    long atRest = process.usage().openFiles();
    attack(10);
    await().atMost(LIMIT).until(() -> process.usage().openFiles() <= atRest + FEW_FILES);
    EndpointProcess.Usage before = process.usage();
    List<Long> millis = attack(40);
    Collections.sort(millis);
    System.out.println("scrapes under attack, tls " + isTls + ", ms: " + millis);
    assertThat(millis.get(millis.size() / 2)).isLessThan(1_000);
    assertThat(millis.get(millis.size() - 1)).isLessThan(3_000);
    assertFlat(before);
    assertThat(client.get("/metrics"))
        .containsPattern("cistern_http_connections_rejected_total [1-9]");
  }

  /** Returns the times of scrapes during an attack; each scrape has a separate connection. */
  private List<Long> attack(int scrapes) throws Exception {
    List<Long> millis = new ArrayList<>();
    SlowClients slow = new SlowClients(client, process.port(), CONNECTIONS);
    try {
      await().atMost(LIMIT).until(() -> slow.opened() >= CONNECTIONS);
      for (int i = 0; i < scrapes; i++) {
        long start = System.nanoTime();
        assertThat(scrapeWithRetry()).startsWith("HTTP/1.1 200 ").contains("cistern_up 1");
        millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      }
      EndpointProcess.Usage during = process.usage();
      System.out.println("during: " + during + ", connections so far: " + slow.opened());
      assertThat(during.threads()).isLessThan(64 + 15);
    } finally {
      slow.stop();
    }
    return millis;
  }

  /**
   * Scrapes with retries, because another connection can replace a slow handshake. The retries
   * count as time.
   */
  private String scrapeWithRetry() throws IOException {
    String response = send(SCRAPE);
    for (int retries = 0; response.isEmpty() && retries < 20; retries++) {
      System.out.println("the server ended a scrape");
      response = send(SCRAPE);
    }
    return response;
  }

  /**
   * Asserts that the process uses no more resources than before, after the end of its connections.
   */
  private void assertFlat(EndpointProcess.Usage before) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              EndpointProcess.Usage after = process.usage();
              System.out.println("before " + before + ", after " + after);
              assertThat(after.heapBytes()).isLessThan(before.heapBytes() + (3 << 20));
              assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 2);
              assertThat(after.residentKibibytes())
                  .isLessThan(before.residentKibibytes() + (48 << 10));
              assertThat(after.openFiles()).isLessThanOrEqualTo(before.openFiles() + 2);
            });
  }
}
