/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The accept thread wakes only as often as its connections need. */
@Timeout(30)
class HttpListenerTest {
  private static final int NO_LIMIT = 0;
  private static final int SLOW = 2_000;
  private static final int FAST = 1_000;

  @Test
  void connectionsThatOnlyWaitForTheirNextRequestAreCheckedHalfAsOften() throws IOException {
    EndpointFigures figures = new EndpointFigures();
    Router router = new Router(Map.of(), AccessControl.LOCAL, figures);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpListener listener =
        HttpListener.start(
            new InetSocketAddress(loopback, 0),
            figures,
            (socket, owner) ->
                new HttpConnection(socket, owner, HttpConnection.Encryption.NONE, router, figures));
    try (Socket kept = new Socket(loopback, listener.port())) {
      kept.getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(kept.getInputStream().read()).isEqualTo('H');
      await().until(() -> listener.maxWaitMillis() == SLOW);
      try (Socket silent = new Socket(loopback, listener.port())) {
        await().until(() -> listener.maxWaitMillis() == FAST);
        assertThat(silent.isConnected()).isTrue();
      }
      await().until(() -> listener.maxWaitMillis() == SLOW);
    } finally {
      await().until(() -> listener.maxWaitMillis() == NO_LIMIT);
      listener.close();
    }
  }
}
