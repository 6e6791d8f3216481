/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.exporter.dump.DiagnosticsDump;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a proxy on this machine forwards, and pages from other sites. */
public class ProxiedRequestTest {
  @TempDir Path directory;

  private ExporterServer server;
  private RawHttp client;

  @BeforeEach
  void start() throws IOException {
    server =
        ExporterServer.start(
            "127.0.0.1:0",
            Reports::host,
            ExporterOptions.DEFAULT.withDump(new DiagnosticsDump(directory, Reports::host)));
    client = RawHttp.plain(server.port());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String localRequest(String method, String path, String headers) {
    return method
        + " "
        + path
        + " HTTP/1.0\r\nHost: localhost:"
        + server.port()
        + "\r\n"
        + headers
        + "\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded: for=203.0.113.9",
        "X-Forwarded-For: 203.0.113.9",
        "x-forwarded-host: shop.example",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Client-Cert: By=x",
        "X-Real-IP: 203.0.113.9",
        "X-Envoy-External-Address: 203.0.113.9",
        "Via: 1.1 proxy",
        "Connection: close" // nginx sends only this by default, with HTTP/1.0
      })
  void aRequestThatAProxyPassedOnIsNotLocal(String header) throws Exception {
    assertThat(client.send(localRequest("GET", "/leaks", ""))).startsWith("HTTP/1.1 200 ");
    for (String path : new String[] {"/leaks", "/live", "/debug/pprof/heap"}) {
      assertThat(client.send(localRequest("GET", path, header + "\r\n")))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain("com.shop");
    }
    assertThat(client.send(localRequest("POST", "/debug/dump", header + "\r\n")))
        .startsWith("HTTP/1.1 403 ");
    assertThat(client.send(localRequest("GET", "/metrics", header + "\r\n")))
        .startsWith("HTTP/1.1 200 ")
        .doesNotContain("com.shop");
    assertThat(directory).isEmptyDirectory();
  }

  /** The proxy of a service mesh connects to the application from 127.0.0.6. */
  @Test
  void anotherLoopbackAddressIsNotLocal() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (Socket socket = new Socket(here, server.port(), InetAddress.getByName("127.0.0.6"), 0)) {
      socket
          .getOutputStream()
          .write(localRequest("GET", "/leaks", "").getBytes(StandardCharsets.US_ASCII));
      assertThat(RawHttp.readAll(socket.getInputStream()))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain("com.shop");
    }
  }

  /**
   * nginx 1.29.7 and newer send no header that names a proxy. Only the user of the process reveals
   * it.
   */
  @ParameterizedTest
  @ValueSource(ints = {33, 65_534})
  void aRequestOfAServiceIsNotLocal(int user) throws Exception {
    assumeTrue(RawHttp.canBe(user), "only root can take the place of another user");
    for (String path : new String[] {"/leaks", "/live"}) {
      assertThat(RawHttp.getAs(user, server.port(), path))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain("com.shop");
    }
    assertThat(RawHttp.getAs(user, server.port(), "/metrics"))
        .startsWith("HTTP/1.1 200 ")
        .doesNotContain("com.shop");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000})
  void aRequestOfAPersonIsLocal(int user) throws Exception {
    assumeTrue(RawHttp.canBe(user), "only root can take the place of another user");
    assertThat(RawHttp.getAs(user, server.port(), "/leaks"))
        .startsWith("HTTP/1.1 200 ")
        .contains("com.shop");
  }

  /** The missing part could be the header of a proxy. */
  @ParameterizedTest
  @ValueSource(strings = {"", "X-Forwarded-", "Accept: text/plain\r\n"})
  void aRequestThatEndsBeforeItsHeadersDoGetsNoResponse(String headers) throws Exception {
    try (Socket socket = client.connect()) {
      String whole = localRequest("GET", "/leaks", headers);
      String cut = whole.substring(0, whole.length() - 2);
      socket.getOutputStream().write(cut.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      assertThat(RawHttp.readAll(socket.getInputStream()))
          .doesNotContain("HTTP/1.1 200", "com.shop");
    }
  }

  @Test
  void onlyAPageOfThisServerMayHaveADumpWritten() throws Exception {
    int port = server.port();
    for (String headers :
        new String[] {
          "Origin: http://localhost:3000\r\n",
          "Origin: http://localhost\r\n",
          "Origin: http://127.0.0.1:" + port + "\r\n",
          "Origin: https://localhost:" + port + "\r\n",
          "Origin: null\r\n",
          "Origin: http://localhost:" + port + "\r\nOrigin: http://evil.example\r\n",
          "Sec-Fetch-Site: cross-site\r\n",
          "Sec-Fetch-Site: same-site\r\n"
        }) {
      assertThat(client.send(localRequest("POST", "/debug/dump", headers)))
          .as(headers)
          .startsWith("HTTP/1.1 403 ");
    }
    assertThat(directory).isEmptyDirectory();
    for (String headers :
        new String[] {
          "", "Origin: http://localhost:" + port + "\r\nSec-Fetch-Site: same-origin\r\n"
        }) {
      assertThat(client.send(localRequest("POST", "/debug/dump", headers)))
          .as(headers)
          .startsWith("HTTP/1.1 200 ");
    }
  }
}
