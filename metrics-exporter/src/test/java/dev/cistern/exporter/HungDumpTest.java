/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.StatsSource;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages and dumps that never end, and the pages that must respond nevertheless. */
@Timeout(60)
class HungDumpTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();
  private final List<Socket> clients = new ArrayList<>();
  private ExporterServer server;
  private RawHttp client;

  @AfterEach
  void stop() throws IOException {
    end.countDown();
    for (Socket socket : clients) {
      socket.close();
    }
    server.close();
  }

  private void start(StatsSource source, DiagnosticsDump dump) throws IOException {
    server = ExporterServer.start("127.0.0.1:0", source, ExporterOptions.DEFAULT.withDump(dump));
    client = RawHttp.plain(server.port());
  }

  private void startWithHungPages() throws IOException {
    start(
        new StatsSource() {
          @Override
          public HostReport report() {
            hang();
            return Reports.host();
          }

          @Override
          public HostReport sites() {
            return Reports.host();
          }
        },
        null);
  }

  private void hang() {
    hanging.incrementAndGet();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns a directory on a file system that does not respond: each thread that uses it waits. */
  private Path hungDirectory() {
    return (Path)
        Proxy.newProxyInstance(
            Path.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("toString")) {
                return "hung";
              }
              hang();
              throw new IllegalStateException("the directory is missing");
            });
  }

  private void requestWithoutReading(String method, String path) throws IOException {
    Socket socket = client.connect();
    clients.add(socket);
    String request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private void assertHealthyAndScraped() throws IOException {
    for (String path : List.of("/-/healthy", "/-/ready", "/metrics")) {
      long start = System.nanoTime();
      assertThat(client.getWhenPossible(path)).as(path).startsWith("HTTP/1.1 200 ");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void healthAndMetricsRespondWhileADumpHangsAndASecondDumpIsRefused() throws Exception {
    start(Reports::host, new DiagnosticsDump(hungDirectory(), Reports::host));
    requestWithoutReading("POST", "/debug/dump");
    await().atMost(LIMIT).until(() -> hanging.get() == 1);
    for (int i = 0; i < 6; i++) {
      assertThat(client.send("POST /debug/dump HTTP/1.0\r\nHost: localhost\r\n\r\n"))
          .startsWith("HTTP/1.1 409 ")
          .contains("Another dump is being written");
      assertHealthyAndScraped();
    }
    assertThat(hanging.get()).isEqualTo(1);
    assertThat(client.get("/metrics")).contains("cistern_dumps_skipped_total 6.0");
  }

  @Test
  void healthAndMetricsRespondWhilePagesHang() throws Exception {
    startWithHungPages();
    for (int i = 0; i < 40; i++) {
      requestWithoutReading("GET", "/leaks");
    }
    await().atMost(LIMIT).until(() -> hanging.get() == 4);
    assertHealthyAndScraped();
    for (int i = 0; i < 100; i++) {
      requestWithoutReading("GET", "/live");
    }
    assertHealthyAndScraped();
    assertThat(hanging.get()).isEqualTo(4);
  }

  @Test
  @Tag("full")
  void aPageThatWaitsTooLongForOtherPagesIsRefused() throws Exception {
    startWithHungPages();
    for (int i = 0; i < 4; i++) {
      requestWithoutReading("GET", "/leaks");
    }
    await().atMost(LIMIT).until(() -> hanging.get() == 4);
    assertThat(client.send("GET /live HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 503 ")
        .contains("Too many pages");
    assertThat(client.get("/metrics"))
        .contains("cistern_http_requests_refused_total{reason=\"busy\"} 1.0");
  }

  @Test
  void healthRespondsWhileThePoolsHang() throws Exception {
    start(
        () -> {
          hang();
          return Reports.host();
        },
        null);
    for (int i = 0; i < 100; i++) {
      requestWithoutReading("GET", i % 2 == 0 ? "/metrics" : "/-/ready");
    }
    await().atMost(LIMIT).until(() -> hanging.get() >= 2);
    for (int i = 0; i < 5; i++) {
      assertThat(client.getWhenPossible("/-/healthy")).startsWith("HTTP/1.1 200 ");
      assertThat(client.getWhenPossible("/-/ready")).startsWith("HTTP/1.1 503 ");
    }
  }
}
